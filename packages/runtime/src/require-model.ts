import { BronError, cleanText, findModelName, type ModelSet } from "@bron/core";

/** Returns the complete name of a configured model. Throws invalid_input with the known names. */
export function requireModel({ byName }: ModelSet, wanted: string): string {
  const name = findModelName(byName.keys(), wanted);
  if (name !== undefined) return name;
  const known = [...byName.keys()];
  throw new BronError(
    "invalid_input",
    `model: there is no model "${cleanText(wanted)}" here. Choose one of: ${known.join(", ")}.`,
    { details: { known } },
  );
}
