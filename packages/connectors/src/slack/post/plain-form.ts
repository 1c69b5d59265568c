import { normalizeText, withoutUnseen } from "@bron/core";

/** The text as a person may read it: one form for each character, and none that cannot be seen. */
export function plainForm(text: string): string {
  return normalizeText(withoutUnseen(text), "NFKC");
}
