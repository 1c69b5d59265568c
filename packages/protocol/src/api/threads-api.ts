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
  createdAt: z.iso.datetime(),
  /** When the owner last wrote in it. */
  updatedAt: z.iso.datetime(),
});
export type ThreadView = Readonly<z.infer<typeof threadViewSchema>>;

/**
 * A place in the list of threads: the `updatedAt` and the id of a thread. It stays valid when the
 * thread moves to the top or is deleted.
 */
const threadCursorSchema = z.string().regex(/^[0-9TZ:.-]{20,30}_[0-9a-f-]{36}$/);

const renamedThreadSchema = z.strictObject({ title: z.string().trim().min(1).max(200) });

export const threadsApi = endpoints({
  "GET /api/threads": {
    summary: "List threads, newest activity first.",
    tag: "Threads",
    scope: "read",
    query: z.object({
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
    summary: "Rename a thread.",
    tag: "Threads",
    scope: "run",
    body: renamedThreadSchema,
    response: threadViewSchema,
  },
  "DELETE /api/threads/:id": {
    summary:
      "Delete a thread with its runs, logs, messages and files. The audit log is kept. Fails with `conflict` while a run of it is under way.",
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
