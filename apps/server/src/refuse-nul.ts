import { BronError } from "@bron/core";

/** A database cannot keep a NUL in a text or even be asked about one. Looks at every text in what was sent, names of members included. */
export function refuseNul(value: unknown, where: string): void {
  if (hasNul(value)) throw new BronError("invalid_input", `${where} contains a NUL character.`);
}

/** What was sent is nested at most as deep as `readJson` allows. */
function hasNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasNul);
  return Object.entries(value).some(([name, member]) => name.includes("\0") || hasNul(member));
}
