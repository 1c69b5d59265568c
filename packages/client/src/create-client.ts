import { omitUndefined, type ApiQueryInput, type ApiResponse } from "@bron/protocol";
import type { Transport } from "./transport.ts";

/** Lists with pages: where a page has its items, and which query parameter continues after it. */
const lists = {
  "GET /api/runs": { items: "runs", cursor: "before" },
  "GET /api/threads": { items: "threads", cursor: "before" },
  "GET /api/approvals": { items: "approvals", cursor: "after" },
  "GET /api/activity": { items: "activity", cursor: "before" },
  "GET /api/audit": { items: "audit", cursor: "before" },
  "GET /api/memory": { items: "entries", cursor: "before" },
  "GET /api/questions": { items: "questions", cursor: "after" },
  "GET /api/client-actions": { items: "actions", cursor: "after" },
} as const;

type ListKey = keyof typeof lists;

type ListItem<K extends ListKey> =
  ApiResponse<K> extends Readonly<Record<(typeof lists)[K]["items"], (infer Item)[]>>
    ? Item
    : never;

type ListQuery<K extends ListKey> = Omit<ApiQueryInput<K>, "limit"> & {
  /** The maximum number of items, which may be on several pages. The default is all. */
  readonly limit?: number;
};

/** A client that acts for an owner, over any transport. */
export interface Client extends Transport {
  /** Lists items in the order of the endpoint. */
  list<K extends ListKey>(key: K, query?: ListQuery<K>): Promise<ListItem<K>[]>;
}

const pageSize = 200;

export function createClient({ transport }: { readonly transport: Transport }): Client {
  const callList = transport.call as (
    key: ListKey,
    options: { readonly query: Readonly<Record<string, unknown>> },
  ) => Promise<Readonly<Record<string, unknown>>>;
  return {
    ...transport,
    async list<K extends ListKey>(key: K, query: ListQuery<K> = {} as ListQuery<K>) {
      const { limit = Number.POSITIVE_INFINITY, ...filter } = query;
      const { items, cursor } = lists[key];
      const found: ListItem<K>[] = [];
      let next: unknown;
      do {
        const page = await callList(key, {
          query: {
            ...filter,
            ...omitUndefined({ [cursor]: next }),
            limit: Math.min(pageSize, limit - found.length),
          },
        });
        found.push(...(page[items] as ListItem<K>[]));
        next = page["next"];
      } while (next !== null && found.length < limit);
      return found;
    },
  };
}
