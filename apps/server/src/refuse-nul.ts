import { BronError } from "@bron/core";

/** Checks every string in the value, including keys, because Postgres accepts no NUL in a text. */
export function refuseNul(value: unknown, where: string): void {
  if (hasNul(value)) throw new BronError("invalid_input", `${where} contains a NUL character.`);
}

/** Recursion is safe, because `readJson` limits the depth. */
function hasNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasNul);
  return Object.entries(value).some(([name, member]) => name.includes("\0") || hasNul(member));
}
