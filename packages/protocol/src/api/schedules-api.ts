import { z } from "zod";
import {
  newScheduleSchema,
  scheduleChangeSchema,
  scheduleViewSchema,
  timingSchema,
} from "../schedule.ts";
import { runViewSchema } from "../run.ts";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

const change = { tag: "Schedules", scope: "manage", response: scheduleViewSchema } as const;

export const schedulesApi = endpoints({
  "GET /api/schedules": {
    summary: "List schedules and watches, newest first.",
    tag: "Schedules",
    scope: "read",
    response: z.object({ schedules: z.array(scheduleViewSchema).readonly() }),
  },
  "POST /api/schedules": {
    summary: "Create a schedule, or a watch.",
    ...change,
    body: newScheduleSchema,
    status: 201,
  },
  "POST /api/schedules/preview": {
    summary: "Get the next three times of a timing, without creating a schedule.",
    tag: "Schedules",
    scope: "read",
    body: timingSchema,
    response: z.object({
      /** The timing in words. */
      words: z.string(),
      nextTimes: z.array(z.iso.datetime()).readonly(),
    }),
  },
  "GET /api/schedules/:id": {
    summary: "Get a schedule or a watch.",
    tag: "Schedules",
    scope: "read",
    response: scheduleViewSchema,
  },
  "PATCH /api/schedules/:id": {
    summary: "Change the words, the timing or the end of a schedule.",
    ...change,
    body: scheduleChangeSchema,
  },
  "POST /api/schedules/:id/pause": {
    summary: "Pause a schedule. Its tasks under way go on.",
    ...change,
    body: emptyBodySchema,
  },
  "POST /api/schedules/:id/resume": {
    summary: "Resume a schedule at its next time.",
    ...change,
    body: emptyBodySchema,
  },
  "POST /api/schedules/:id/run": {
    summary: "Start the task of a schedule now.",
    tag: "Schedules",
    scope: "run",
    rate: "createRun",
    body: emptyBodySchema,
    idempotent: true,
    response: runViewSchema,
  },
  "POST /api/schedules/:id/remove": {
    summary: "Remove a schedule. Its tasks stay.",
    tag: "Schedules",
    scope: "manage",
    body: emptyBodySchema,
    response: z.object({ removed: z.literal(true) }),
  },
});
