import { z } from "zod";
import {
  actionViewSchema,
  artifactViewSchema,
  createRunSchema,
  effectViewSchema,
  runViewSchema,
} from "../run.ts";
import { runStates } from "../states.ts";
import { eventViewSchema } from "../event-view.ts";
import {
  endpoints,
  idPrefixSchema,
  limitSchema,
  nothingSchema,
  pageOf,
  reasonSchema,
} from "./endpoint.ts";

/** A place in a log, as text of an address or a header; no log is longer than the database can count. */
export const seqSchema = z.coerce
  .number()
  .int()
  .nonnegative()
  .max(2 ** 31 - 1);

export const listRunsSchema = z.object({
  status: z.enum(runStates).optional(),
  bronId: z.uuid().optional(),
  idPrefix: idPrefixSchema.optional(),
  limit: limitSchema,
  before: z.uuid().optional(),
});

/** What the owner stream tells of a run: enough for a list. */
export const runChangeSchema = z.object({ run: runViewSchema, pendingApprovals: z.number().int() });
export type RunChange = Readonly<z.infer<typeof runChangeSchema>>;

export const runsApi = endpoints({
  "POST /api/runs": {
    summary: "Give a task. The run goes on in the background.",
    tag: "Runs",
    scope: "run",
    rate: "createRun",
    body: createRunSchema,
    idempotent: true,
    status: 201,
    also: { 200: { summary: "The run that this Idempotency-Key made before." } },
    response: runViewSchema,
  },
  "GET /api/runs": {
    summary: "Runs, newest first.",
    tag: "Runs",
    scope: "read",
    query: listRunsSchema,
    response: pageOf("runs", runViewSchema, z.uuid()),
  },
  "GET /api/runs/:id": { summary: "One run.", tag: "Runs", scope: "read", response: runViewSchema },
  "GET /api/runs/:id/events": {
    summary: "What is in the log now, for clients that poll.",
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
      "The log and what comes, as server-sent events: id is the seq, event the type, data the entry. Resumes by Last-Event-ID.",
    tag: "Runs",
    scope: "read",
    query: z.object({ afterSeq: seqSchema.default(0) }),
    also: {
      204: {
        summary: "The run is over and there is nothing after this place.",
        response: "nothing",
      },
    },
    headers: { "Last-Event-ID": "The last event that was seen; it counts before `afterSeq`." },
    response: "text/event-stream",
  },
  "GET /api/runs/:id/actions": {
    summary: "What its tools were asked and gave.",
    tag: "Runs",
    scope: "read",
    response: z.object({ actions: z.array(actionViewSchema) }),
  },
  "GET /api/runs/:id/effects": {
    summary: "What it did outside, or wants to.",
    tag: "Runs",
    scope: "read",
    response: z.object({ effects: z.array(effectViewSchema) }),
  },
  "POST /api/runs/:id/cancel": {
    summary: "Stop a run and all below it: nothing of it begins after this.",
    tag: "Runs",
    scope: "run",
    body: z.strictObject({ reason: reasonSchema }),
    response: z.object({ requested: z.boolean(), run: runViewSchema }),
  },
  "POST /api/runs/:id/retry": {
    summary: "The same task again, in a new run that reuses what this one completed.",
    tag: "Runs",
    scope: "run",
    rate: "createRun",
    body: nothingSchema,
    idempotent: true,
    status: 201,
    response: runViewSchema,
  },
  "POST /api/stop": {
    summary: "Stop everything that is under way or waiting.",
    tag: "Runs",
    scope: "run",
    body: z.strictObject({ reason: reasonSchema }),
    response: z.object({ stopped: z.array(z.uuid()) }),
  },
  "GET /api/stream": {
    summary:
      "Changes of all runs, for lists, as server-sent events: `run` with the run as it is now, `reset` when everything should be read again.",
    tag: "Runs",
    scope: "read",
    response: "text/event-stream",
  },
  "GET /api/runs/:id/artifacts": {
    summary: "Files that a run kept.",
    tag: "Artifacts",
    scope: "read",
    response: z.object({ artifacts: z.array(artifactViewSchema) }),
  },
  "GET /api/runs/:id/export": {
    summary: "A run with its log, approvals and artifacts, as a zip.",
    tag: "Artifacts",
    scope: "read",
    response: "application/zip",
  },
  "GET /api/artifacts/:digest": {
    summary: "The bytes of an artifact.",
    tag: "Artifacts",
    scope: "read",
    response: "application/octet-stream",
  },
});
