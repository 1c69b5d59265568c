import { z } from "zod";
import { runViewSchema } from "../run.ts";
import { endpoints, idPrefixSchema, limitSchema, pageOf } from "./endpoint.ts";

/** A conversation with one Bron. Each message of the owner is a run in it. */
export const threadViewSchema = z.object({
  id: z.uuid(),
  /** The title of the first run, until the owner renames the thread. */
  title: z.string(),
  bronId: z.uuid(),
  runCount: z.number().int(),
  /** The status of the newest run. */
  status: runViewSchema.shape.status,
  latestRun: runViewSchema.pick({ id: true, title: true, notDone: true, outcome: true }),
  /** Whether a run, or one of its child runs, waits for an approval, an answer or an account. */
  waitsForOwner: z.boolean(),
  /** What its runs wait for, the most urgent. */
  waitsFor: runViewSchema.shape.waitsFor,
  /** How many approvals and questions of its runs, and of their child runs, wait for the owner. */
  pendingCount: z.number().int(),
  /** An archived thread is in no list unless it is asked for. A new message brings it back. */
  archivedAt: z.iso.datetime().nullable(),
  /** A pinned thread comes first. */
  pinnedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** When the owner last wrote in it. */
  updatedAt: z.iso.datetime(),
  /** In a search: the words around what was found, unless only the title has it. Plain text. */
  snippet: z.string().nullable(),
});
export type ThreadView = Readonly<z.infer<typeof threadViewSchema>>;

/**
 * How a thread is as a whole. `needs_you`: it waits for an approval, an answer or an account, or its
 * newest run ended with a question. `working`: a run is under way. Otherwise the newest run has
 * ended: `done` with everything that was asked for, or `not_done`.
 */
export const threadStates = ["needs_you", "working", "done", "not_done"] as const;
export type ThreadState = (typeof threadStates)[number];

/**
 * A place in the list of threads: `p_` if it is pinned, then the `updatedAt` and the id of a thread.
 * It stays valid when the thread moves to the top or is deleted.
 */
const threadCursorSchema = z.string().regex(/^(?:p_)?[0-9TZ:.-]{20,30}_[0-9a-f-]{36}$/);

const changedThreadSchema = z
  .strictObject({
    title: z.string().trim().min(1).max(200),
    archived: z.boolean(),
    pinned: z.boolean(),
  })
  .partial()
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    message: "Name at least one change.",
  });

export const threadsApi = endpoints({
  "GET /api/threads": {
    summary:
      "List threads, pinned ones first, then the newest activity. `query` searches titles, prompts, answers and the recipients of what was sent; the last word may be the beginning of one.",
    tag: "Threads",
    scope: "read",
    query: z.object({
      query: z.string().max(200).optional(),
      state: z.enum(threadStates).optional(),
      bronId: z.uuid().optional(),
      /** Without it, archived threads are left out, unless `idPrefix` is given. */
      archived: z.enum(["only", "also"]).optional(),
      idPrefix: idPrefixSchema.optional(),
      limit: limitSchema,
      before: threadCursorSchema.optional(),
    }),
    response: pageOf("threads", threadViewSchema, threadCursorSchema),
  },
  "GET /api/threads/:id": {
    summary:
      "Get a thread with its newest runs, oldest first. Pass `next` as `before` to get the runs before them.",
    tag: "Threads",
    scope: "read",
    query: z.object({ limit: limitSchema, before: z.uuid().optional() }),
    response: threadViewSchema.extend(pageOf("runs", runViewSchema, z.uuid()).shape),
  },
  "PATCH /api/threads/:id": {
    summary: "Rename, archive or pin a thread, or take it back out of the archive.",
    tag: "Threads",
    scope: "run",
    body: changedThreadSchema,
    response: threadViewSchema,
  },
  "DELETE /api/threads/:id": {
    summary:
      "Delete a thread with its runs, logs, messages and files. The audit log is kept. A run of it that is under way is stopped first. Fails with `conflict` if that takes too long.",
    tag: "Threads",
    scope: "manage",
    status: 204,
    response: "nothing",
  },
  "GET /api/threads/:id/export": {
    summary: "Download all runs of a thread (logs, approvals, files) as a zip.",
    tag: "Threads",
    scope: "read",
    response: "application/zip",
  },
});
