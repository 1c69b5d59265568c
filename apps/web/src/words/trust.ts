import type { TrustLevel } from "@bron/protocol";

export const trustWords = {
  title: "Trust level",
  about:
    "How far each Bron goes by itself. What others may have chosen, such as an address from a mail, is asked about at every level.",
  change: "Change",
  of: (name: string) => `Trust level of ${name}`,
  levels: {
    supervised: {
      name: "Supervised",
      means:
        "Asks before anything is changed outside. Reading and drafts in your own mailbox need no asking.",
    },
    delegated: {
      name: "Delegated",
      means:
        "Sends mail by itself if everybody who gets it is on your list, and asks about everything else.",
    },
    autonomous: {
      name: "Autonomous",
      means:
        "Does by itself what your words ask for. It asks only where somebody else may have chosen what happens.",
    },
  } satisfies Record<TrustLevel, { name: string; means: string }>,
  sure: (bron: string, { name, means }: { readonly name: string; readonly means: string }) => ({
    title: `Make ${bron} ${name.toLowerCase()}?`,
    words: means,
    yes: `Yes, ${name.toLowerCase()}`,
  }),
} as const;
