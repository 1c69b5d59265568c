import { isUuid } from "@bron/protocol";

const zeros = "00000000-0000-0000-0000-000000000000";
const highest = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * The first and the last UUID with this prefix, for a range scan of the primary key. Undefined if
 * the prefix is invalid.
 */
export function uuidRange(
  prefix: string,
): { readonly first: string; readonly last: string } | undefined {
  const [first, last] = [zeros, highest].map((rest) => prefix + rest.slice(prefix.length));
  return first !== undefined && last !== undefined && isUuid(first) ? { first, last } : undefined;
}
