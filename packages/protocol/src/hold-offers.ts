import type { ApprovalView } from "./run.ts";
import type { Risk } from "./trust.ts";

/** What the owner can set so that Bron does not ask about such an effect again. */
export type HoldOffer =
  /** Call this person by a name that the owner types. */
  | { readonly kind: "name"; readonly address: string }
  /** Let this tool reach a person or a site for a limited time. */
  | { readonly kind: "grant"; readonly tool: string; readonly recipient: string }
  | { readonly kind: "grant"; readonly tool: string; readonly host: string };

/** With one of these, Bron would ask again whatever the owner sets. */
const notAbout: ReadonlySet<string> = new Set([
  "not_asked_for",
  "asked_for_once",
  "crossed_out",
  "words_not_read",
  "forbidden_by_words",
]);

/**
 * Offers that would have made an approval unnecessary: a name or a grant for each recipient that the
 * words do not mention, a grant for each site. Nothing for an address that looks like another one,
 * and nothing if the words ask for no such effect. The addresses and hosts may be chosen by others.
 */
export function holdOffersOf({
  tool,
  kind,
  risks,
}: Pick<ApprovalView, "tool" | "kind" | "risks">): HoldOffer[] {
  const codes = risks.flatMap(({ why }) => (typeof why === "string" ? [] : [why.code]));
  if (kind === "server" || codes.some((code) => notAbout.has(code))) return [];
  return risks.flatMap((risk) => (isImpostor(risk) ? [] : offersFor(risk, tool)));
}

function isImpostor({ notes }: Risk): boolean {
  return notes.some((note) => typeof note !== "string" && note.code === "lookalike");
}

function offersFor({ why }: Risk, tool: string): HoldOffer[] {
  if (typeof why === "string") return [];
  if (why.code === "site_not_mentioned") return [{ kind: "grant", tool, host: why.host }];
  const isRecipient = why.code === "recipient_not_mentioned" || why.code === "recipient_mentioned";
  if (!isRecipient || !isAddress(why.address)) return [];
  return [
    { kind: "name", address: why.address },
    { kind: "grant", tool, recipient: why.address },
  ];
}

function isAddress(text: string): boolean {
  return /^[^\s<>"@]{1,64}@[^\s<>"@]{1,189}$/.test(text);
}
