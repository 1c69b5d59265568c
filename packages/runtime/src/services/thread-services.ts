import {
  cleanText,
  searchWords,
  threadNotFound,
  type Clock,
  type Runs,
  type ThreadPlace,
  type Threads,
} from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import { deleteThread } from "./delete-thread.ts";
import type { ServicesOf } from "./service.ts";

type ThreadKeys =
  | "GET /api/threads"
  | "GET /api/threads/:id"
  | "PATCH /api/threads/:id"
  | "DELETE /api/threads/:id";

interface ThreadServicesDeps {
  readonly threads: Pick<Threads, "list" | "get" | "update" | "delete">;
  readonly runs: Pick<Runs, "list" | "requestCancel">;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
}

/** Conversations. Their runs are created by the services of runs. */
export function threadServices(deps: ThreadServicesDeps): ServicesOf<ThreadKeys> {
  const { threads, runs } = deps;
  const find = async (ownerId: string, id: string) => {
    const found = await threads.get(ownerId, id);
    if (!found) throw threadNotFound(id);
    return found;
  };
  return {
    async "GET /api/threads"({ caller: { ownerId }, query: asked }) {
      const { before, idPrefix, query = "", archived, state, bronId, limit } = asked;
      const words = searchWords(cleanText(query));
      // Words without a letter or a digit are in no text.
      if (query.trim() !== "" && words.length === 0) return { threads: [], next: null };
      const page = await threads.list(ownerId, {
        idPrefix,
        limit,
        words,
        state,
        bronId,
        archived: archivedOf(archived ?? (idPrefix === undefined ? undefined : "also")),
        before: before === undefined ? undefined : placeOf(before),
      });
      const last = page.length === limit ? page.at(-1) : undefined;
      return { threads: page, next: last ? cursorOf(last) : null };
    },
    async "GET /api/threads/:id"({ caller: { ownerId }, params, query: { limit, before } }) {
      const thread = await find(ownerId, params.id);
      const page = await runs.list(ownerId, { threadId: thread.id, limit, before });
      const next = page.length === limit ? (page.at(-1)?.id ?? null) : null;
      return { ...thread, runs: page.toReversed(), next };
    },
    async "PATCH /api/threads/:id"({ caller: { ownerId }, params, body }) {
      const { title, ...changes } = body;
      const cleaned = title === undefined ? undefined : cleanText(title);
      await threads.update(ownerId, params.id, omitUndefined({ ...changes, title: cleaned }));
      return await find(ownerId, params.id);
    },
    async "DELETE /api/threads/:id"({ caller: { ownerId }, params }) {
      await deleteThread(deps, ownerId, params.id);
      return undefined;
    },
  };
}

function archivedOf(asked: "only" | "also" | undefined): boolean | undefined {
  return asked === "also" ? undefined : asked === "only";
}

const placeSchema = z.tuple([z.iso.datetime(), z.uuid()]);

function placeOf(cursor: string): ThreadPlace {
  const isPinned = cursor.startsWith("p_");
  const [updatedAt, id] = parseInput(placeSchema, cursor.slice(isPinned ? 2 : 0).split("_"));
  return { pinnedAt: isPinned ? updatedAt : null, updatedAt, id };
}

function cursorOf({ pinnedAt, updatedAt, id }: ThreadPlace): string {
  return `${pinnedAt === null ? "" : "p_"}${updatedAt}_${id}`;
}
