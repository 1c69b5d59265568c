import type { TrustLevel } from "@bron/protocol";

export const trustWords = {
  title: "Trust level",
  about:
    "How much each Bron can do without asking. Recipients or links found in someone else's message always need approval.",
  change: "Change",
  of: (name: string) => `Trust level of ${name}`,
  levels: {
    supervised: {
      name: "Supervised",
      means: "Asks before it sends or changes anything. Can read and save drafts.",
    },
    delegated: {
      name: "Delegated",
      means: "Can email your trusted contacts without asking. Asks about everything else.",
    },
    autonomous: {
      name: "Autonomous",
      means:
        "Does what you ask without approval. Asks only when something may have come from someone else.",
    },
  } satisfies Record<TrustLevel, { name: string; means: string }>,
  sure: (bron: string, { name, means }: { readonly name: string; readonly means: string }) => ({
    title: `Set ${bron} to ${name}?`,
    words: means,
    yes: `Set to ${name}`,
  }),
} as const;
