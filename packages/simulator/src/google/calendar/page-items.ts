import { invalidParameter } from "./calendar-error.ts";

/** An item to paginate, sorted by `position` and then by `id`. */
interface Positioned {
  readonly id: string;
  readonly position: number;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
}

export function pageItems<Item extends Positioned>(
  unordered: readonly Item[],
  query: URLSearchParams,
  defaultLimit: number,
  max: number,
): Page<Item> {
  const sorted = [...unordered].sort(compare);
  const size = readMaxResults(query.get("maxResults"), defaultLimit, max);
  const after = readPageToken(query.get("pageToken"));
  const rest = after === undefined ? sorted : sorted.filter((item) => compare(item, after) > 0);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  return {
    items,
    ...(last && rest.length > size
      ? { nextPageToken: Buffer.from(`${last.position}:${last.id}`).toString("base64url") }
      : {}),
  };
}

function compare(one: Positioned, other: Positioned): number {
  return one.position - other.position || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

function readMaxResults(text: string | null, defaultLimit: number, max: number): number {
  if (text === null) return defaultLimit;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw invalidParameter(
      "maxResults",
      `Invalid integer value: '${text}'. Values must be within the range: [1, 2147483647]`,
    );
  return Math.min(Number(text), max);
}

function readPageToken(token: string | null): Positioned | undefined {
  if (token === null) return undefined;
  const [, position, id] = /^(-?\d+):(.+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (position === undefined || id === undefined)
    throw invalidParameter("pageToken", "Invalid page token value.");
  return { position: Number(position), id };
}
