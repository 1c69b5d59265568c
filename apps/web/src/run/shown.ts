import { visible } from "@bron/protocol";

/** A copy of a value in which invisible and direction-changing characters are spelled out. */
export function shown<T>(value: T): T {
  return spelledOut(value) as T;
}

function spelledOut(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(spelledOut);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, spelledOut(member)]),
    );
  return value;
}
