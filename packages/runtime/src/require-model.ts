import { BronError, cleanText, findModelName, nearestNames, type ModelSet } from "@bron/core";

/** Returns the complete name of a configured model. Throws invalid_input with the known names. */
export function requireModel({ byName }: ModelSet, wanted: string): string {
  const name = findModelName(byName.keys(), wanted);
  if (name !== undefined) return name;
  const known = [...byName.keys()];
  const near = nearestNames(wanted, known).slice(0, 3);
  throw new BronError(
    "invalid_input",
    `model: there is no model "${cleanText(wanted)}" here.${near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : ""} Choose one of: ${known.join(", ")}.`,
    { details: { known, nearest: near } },
  );
}
