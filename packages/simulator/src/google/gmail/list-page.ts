import { badRequest } from "../api-error.ts";

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
}

interface Positioned {
  readonly id: string;
  /** Pages go from the highest key down, so new items do not shift later pages. */
  readonly position: number;
}

export function listPage<Item extends Positioned>(
  sorted: readonly Item[],
  query: URLSearchParams,
  limits = { defaultLimit: 100, max: 500 },
): Page<Item> {
  const size = readMaxResults(query.get("maxResults"), limits);
  const after = readPageToken(query.get("pageToken"));
  const firstIndex = after === undefined ? 0 : sorted.findIndex((item) => isBelow(item, after));
  const rest = firstIndex < 0 ? [] : sorted.slice(firstIndex);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  return {
    items,
    ...(last && rest.length > size
      ? { nextPageToken: Buffer.from(`${last.position}:${last.id}`).toString("base64url") }
      : {}),
  };
}

function isBelow(item: Positioned, after: Positioned): boolean {
  return item.position < after.position || (item.position === after.position && item.id < after.id);
}

function readMaxResults(
  text: string | null,
  { defaultLimit, max }: { readonly defaultLimit: number; readonly max: number },
): number {
  if (text === null || text === "") return defaultLimit;
  if (!/^\d{1,9}$/.test(text))
    throw badRequest(`Invalid value at 'max_results' (TYPE_UINT32), "${text}"`);
  return Number(text) === 0 ? defaultLimit : Math.min(Number(text), max);
}

function readPageToken(token: string | null): Positioned | undefined {
  if (token === null || token === "") return undefined;
  const [, position, id] =
    /^(\d+):([\w-]+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (position === undefined || id === undefined) throw badRequest("Invalid pageToken");
  return { position: Number(position), id };
}
