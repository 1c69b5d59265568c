import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Runtime } from "../runtime.ts";
import type { ServicesOf } from "./service.ts";

type ThreadKeys =
  | "GET /api/threads"
  | "GET /api/threads/:id"
  | "PATCH /api/threads/:id"
  | "DELETE /api/threads/:id";

/** Conversations. Their runs are created by the services of runs. */
export function threadServices({ threads }: Pick<Runtime, "threads">): ServicesOf<ThreadKeys> {
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
    async "GET /api/threads/:id"({ caller: { ownerId }, params, query }) {
      const thread = await threads.get(ownerId, params.id);
      const runs = await threads.runs(ownerId, thread.id, query);
      return { ...thread, runs, next: runs.length === query.limit ? (runs[0]?.id ?? null) : null };
    },
    "PATCH /api/threads/:id": ({ caller: { ownerId }, params, body }) =>
      threads.rename(ownerId, params.id, body.title),
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
