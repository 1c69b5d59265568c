import { SlackError } from "./slack-error.ts";

interface Paging<Item> {
  readonly limit: number;
  /** Empty or undefined for the first page. */
  readonly cursor: string | undefined;
  /** The prefix of Slack's cursors: "user", "team", "next_ts". */
  readonly mark: string;
  /** The key that identifies an item. */
  readonly keyOf: (item: Item) => string;
  /**
   * Whether an item belongs to the page that starts at a key. Items that were added or removed
   * meanwhile do not shift the page.
   */
  readonly isFrom: (item: Item, key: string) => boolean;
}

interface Page<Item> {
  readonly items: readonly Item[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

export function cutPage<Item>(
  sorted: readonly Item[],
  { limit, cursor, mark, keyOf, isFrom }: Paging<Item>,
): Page<Item> {
  const key = readCursor(cursor, mark);
  const rest = key === undefined ? sorted : sorted.filter((item) => isFrom(item, key));
  const next = rest[limit];
  return {
    items: rest.slice(0, limit),
    nextCursor: next === undefined ? "" : Buffer.from(`${mark}:${keyOf(next)}`).toString("base64"),
  };
}

function readCursor(cursor: string | undefined, mark: string): string | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  const [, found, key] = /^(\w+):(\w+)$/.exec(Buffer.from(cursor, "base64").toString()) ?? [];
  if (found !== mark || key === undefined || (mark === "next_ts" && !/^\d+$/.test(key)))
    throw new SlackError("invalid_cursor");
  return key;
}
