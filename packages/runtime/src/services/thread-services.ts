import { cleanText, threadNotFound, type Runs, type Threads } from "@bron/core";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { ServicesOf } from "./service.ts";

type ThreadKeys =
  | "GET /api/threads"
  | "GET /api/threads/:id"
  | "PATCH /api/threads/:id"
  | "DELETE /api/threads/:id";

export interface ThreadServicesDeps {
  readonly threads: Pick<Threads, "list" | "get" | "rename" | "delete">;
  readonly runs: Pick<Runs, "list">;
}

/** Conversations. Their runs are created by the services of runs. */
export function threadServices({ threads, runs }: ThreadServicesDeps): ServicesOf<ThreadKeys> {
  const find = async (ownerId: string, id: string) => {
    const found = await threads.get(ownerId, id);
    if (!found) throw threadNotFound(id);
    return found;
  };
  return {
    async "GET /api/threads"({ caller: { ownerId }, query: { before, idPrefix, limit } }) {
      const page = await threads.list(ownerId, {
        idPrefix,
        limit,
        before: before === undefined ? undefined : placeOf(before),
      });
      const last = page.length === limit ? page.at(-1) : undefined;
      return { threads: page, next: last ? `${last.updatedAt}_${last.id}` : null };
    },
    async "GET /api/threads/:id"({ caller: { ownerId }, params, query: { limit, before } }) {
      const thread = await find(ownerId, params.id);
      const page = await runs.list(ownerId, { threadId: thread.id, limit, before });
      const next = page.length === limit ? (page.at(-1)?.id ?? null) : null;
      return { ...thread, runs: page.toReversed(), next };
    },
    async "PATCH /api/threads/:id"({ caller: { ownerId }, params, body }) {
      await threads.rename(ownerId, params.id, cleanText(body.title));
      return await find(ownerId, params.id);
    },
    async "DELETE /api/threads/:id"({ caller: { ownerId }, params }) {
      await threads.delete(ownerId, params.id);
      return undefined;
    },
  };
}

const placeSchema = z.tuple([z.iso.datetime(), z.uuid()]);

function placeOf(cursor: string): { readonly updatedAt: string; readonly id: string } {
  const [updatedAt, id] = parseInput(placeSchema, cursor.split("_"));
  return { updatedAt, id };
}
