import { z } from "zod";
import { draftViewSchema } from "../draft-view.ts";
import { contextSchema } from "../context.ts";
import {
  actionViewSchema,
  artifactViewSchema,
  createRunSchema,
  effectViewSchema,
  runViewSchema,
} from "../run.ts";
import { placeSchema, placeViewSchema } from "../place.ts";
import { runStates } from "../states.ts";
import { eventViewSchema } from "../event-view.ts";
import { filePreviewSchema } from "../file-preview.ts";
import {
  endpoints,
  idPrefixSchema,
  limitSchema,
  emptyBodySchema,
  pageOf,
  reasonSchema,
} from "./endpoint.ts";

/**
 * A position in a run's log, from a query or a header. The maximum is that of the database column.
 */
export const seqSchema = z.coerce
  .number()
  .int()
  .nonnegative()
  .max(2 ** 31 - 1);

export const listRunsSchema = z.object({
  status: z.enum(runStates).optional(),
  bronId: z.uuid().optional(),
  threadId: z.uuid().optional(),
  /** Only child runs that this run started. */
  parentRunId: z.uuid().optional(),
  idPrefix: idPrefixSchema.optional(),
  limit: limitSchema,
  before: z.uuid().optional(),
});

/** What the owner stream sends about a run. It has all that a list needs. */
const runChangeSchema = z.object({ run: runViewSchema, pendingApprovals: z.number().int() });
export type RunChange = Readonly<z.infer<typeof runChangeSchema>>;

export const runsApi = endpoints({
  "POST /api/runs": {
    summary: "Start a task in the background.",
    tag: "Runs",
    scope: "run",
    rate: "createRun",
    body: createRunSchema,
    idempotent: true,
    status: 201,
    also: { 200: { summary: "The run created earlier with this Idempotency-Key." } },
    response: runViewSchema,
  },
  "GET /api/runs": {
    summary: "List runs, newest first.",
    tag: "Runs",
    scope: "read",
    query: listRunsSchema,
    response: pageOf("runs", runViewSchema, z.uuid()),
  },
  "GET /api/runs/:id": {
    summary: "Get a run.",
    tag: "Runs",
    scope: "read",
    response: runViewSchema,
  },
  "GET /api/runs/:id/events": {
    summary: "List a run's events (for polling).",
    tag: "Runs",
    scope: "read",
    query: z.object({
      afterSeq: seqSchema.default(0),
      limit: z.coerce.number().int().min(1).max(1_000).default(500),
    }),
    response: z.object({ events: z.array(eventViewSchema), lastSeq: z.number().int() }),
  },
  "GET /api/runs/:id/stream": {
    summary:
      "Stream a run's events as SSE: `id` is the seq, `event` the type, `data` the entry. Resume with Last-Event-ID.",
    tag: "Runs",
    scope: "read",
    query: z.object({ afterSeq: seqSchema.default(0) }),
    also: {
      204: {
        summary: "The run has ended and there are no more events.",
        response: "nothing",
      },
    },
    headers: { "Last-Event-ID": "The last event received. Takes precedence over `afterSeq`." },
    response: "text/event-stream",
  },
  "GET /api/runs/:id/actions": {
    summary: "List a run's tool calls with inputs and outputs.",
    tag: "Runs",
    scope: "read",
    response: z.object({ actions: z.array(actionViewSchema) }),
  },
  "GET /api/runs/:id/effects": {
    summary: "List a run's effects: the changes it made or wants to make.",
    tag: "Runs",
    scope: "read",
    response: z.object({ effects: z.array(effectViewSchema) }),
  },
  "GET /api/runs/:id/drafts": {
    summary: "List the drafts that a run left in the mailbox, as the mailbox has them now.",
    tag: "Runs",
    scope: "read",
    response: z.object({ drafts: z.array(draftViewSchema) }),
  },
  "POST /api/runs/:id/cancel": {
    summary: "Cancel a run and its child runs. Nothing new starts after this.",
    tag: "Runs",
    scope: "run",
    body: z.strictObject({ reason: reasonSchema }),
    response: z.object({ requested: z.boolean(), run: runViewSchema }),
  },
  "POST /api/runs/:id/place": {
    summary:
      "Move a run, with its child runs, to another place. Null: anywhere. A run that a worker is advancing cannot be moved.",
    tag: "Runs",
    scope: "run",
    body: z.strictObject({ place: placeSchema.nullable() }),
    response: runViewSchema,
  },
  "GET /api/places": {
    summary: "List the places that unfinished runs require, and whether a worker serves them.",
    tag: "Runs",
    scope: "read",
    response: z.object({ places: z.array(placeViewSchema) }),
  },
  "POST /api/runs/:id/retry": {
    summary: "Retry a run, reusing completed steps.",
    tag: "Runs",
    scope: "run",
    rate: "createRun",
    body: emptyBodySchema,
    idempotent: true,
    status: 201,
    also: { 200: { summary: "The run created earlier with this Idempotency-Key." } },
    response: runViewSchema,
  },
  "POST /api/runs/:id/messages": {
    summary:
      "Send a message to a run. A running run reads it after its open calls. If the run has ended, the message starts the next task of its thread.",
    tag: "Runs",
    scope: "run",
    rate: "createRun",
    body: z.strictObject({
      content: createRunSchema.shape.prompt,
      context: contextSchema.optional(),
    }),
    idempotent: true,
    response: z.object({ run: runViewSchema, isNewTask: z.boolean() }),
  },
  "POST /api/runs/:id/put-back": {
    summary:
      "Mark a text that came with a run's words as the owner's own. `digest` names the text in `split` of an event. A running run reads it after its open calls. If the run has ended, the text starts the next task of its thread.",
    tag: "Runs",
    scope: "run",
    alsoScope: "speak",
    rate: "createRun",
    body: z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: z.object({ run: runViewSchema, isNewTask: z.boolean() }),
  },
  "POST /api/runs/:id/cross-out": {
    summary:
      "Cross out a request that Bron found in your words, so that Bron asks before it acts on it. `key` comes from the `intent` event.",
    tag: "Runs",
    scope: "run",
    body: z.strictObject({ key: z.string().min(1).max(200) }),
    response: runViewSchema,
  },
  "POST /api/stop": {
    summary: "Cancel all running and waiting runs.",
    tag: "Runs",
    scope: "run",
    body: z.strictObject({ reason: reasonSchema }),
    response: z.object({ stopped: z.array(z.uuid()) }),
  },
  "GET /api/stream": {
    summary: "Stream run updates as SSE. `run` carries the updated run; on `reset`, refetch.",
    tag: "Runs",
    scope: "read",
    response: "text/event-stream",
  },
  "GET /api/runs/:id/artifacts": {
    summary: "List a run's files.",
    tag: "Artifacts",
    scope: "read",
    response: z.object({ artifacts: z.array(artifactViewSchema) }),
  },
  "GET /api/runs/:id/export": {
    summary: "Download a run (log, approvals, files) as a zip.",
    tag: "Artifacts",
    scope: "read",
    response: "application/zip",
  },
  "GET /api/artifacts/:digest": {
    summary: "Download a file.",
    tag: "Artifacts",
    scope: "read",
    response: "application/octet-stream",
  },
  "GET /api/artifacts/:digest/preview": {
    summary:
      "Get the beginning of a file as data: the texts of pages, tables, an email, or the verified type of an image. `name` and `mediaType` decide between kinds of text.",
    tag: "Artifacts",
    scope: "read",
    query: z.object({
      name: z.string().min(1).max(500).optional(),
      mediaType: z.string().min(1).max(200).optional(),
    }),
    response: filePreviewSchema,
  },
});
