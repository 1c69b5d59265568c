import { z } from "zod";
import { capsSchema } from "./caps.ts";
import { runOutcomes } from "./run-outcome.ts";
import { runStates } from "./states.ts";
import { trustLevelSchema } from "./trust.ts";

/** `cron`: five fields. `interval`: "30m", "2h" or "1d". `once`: a date and a time. */
export const scheduleKinds = ["cron", "interval", "once"] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

/** When a schedule is due. Times are in its zone. */
export const timingSchema = z.strictObject({
  kind: z.enum(scheduleKinds),
  expression: z.string().trim().min(1).max(100),
  zone: z.string().trim().min(1).max(64).default("UTC"),
});
export type Timing = Readonly<z.infer<typeof timingSchema>>;

export const watchSources = ["gmail", "slack", "calendar", "page"] as const;
export type WatchSource = (typeof watchSources)[number];

/** What is polled for something new. The connector of the source defines the query. */
const watchSchema = z.strictObject({
  source: z.enum(watchSources),
  /** A Gmail search, a Slack channel, a calendar search (may be empty), or the URL of a page. */
  query: z.string().trim().max(2_000),
  /** One task for each match, or one for all matches of a poll. */
  batch: z.enum(["each", "together"]).default("each"),
});
export type Watch = Readonly<z.infer<typeof watchSchema>>;

export const missedChoices = ["skip", "once"] as const;
export const overlapChoices = ["skip", "wait"] as const;
const scheduleStates = ["active", "paused", "ended"] as const;
export type ScheduleState = (typeof scheduleStates)[number];

/** Why a schedule is paused or has ended. */
const scheduleReasons = [
  "owner",
  "failures",
  "bron_archived",
  "account_lost",
  "end_date",
  "done",
  "missed",
] as const;
export type ScheduleReason = (typeof scheduleReasons)[number];

/** Why a due time started no task. */
const skipReasons = ["missed", "overlap", "budget"] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Failed tasks in a row after which a schedule is paused. */
export const maxScheduleFailures = 5;
export const maxSchedulesPerOwner = 200;

const title = z.string().trim().max(200);
const prompt = z.string().trim().min(1).max(20_000);
const limits = {
  /** Lower than the trust level of the Bron. Null: that of the Bron. */
  trustLevel: trustLevelSchema.nullable().default(null),
  /** Lower than the limits of the Bron. */
  caps: capsSchema.pick({ costMicrousd: true, activeMs: true }).partial().default({}),
};
const behavior = {
  /** What happens to a due time at which no worker was running. */
  missed: z.enum(missedChoices).default("once"),
  /** What happens while the last task of the schedule is still under way. */
  overlap: z.enum(overlapChoices).default("skip"),
  endAt: z.iso.datetime({ offset: true }).nullable().default(null),
};

export const newScheduleSchema = z.strictObject({
  /** The owner's own words. They are the task each time. */
  prompt,
  title: title.optional(),
  ...timingSchema.shape,
  bronId: z.uuid().optional(),
  watch: watchSchema.nullable().default(null),
  ...behavior,
  ...limits,
});
export type NewScheduleInput = z.input<typeof newScheduleSchema>;

export const scheduleChangeSchema = z.strictObject({
  prompt: prompt.optional(),
  title: title.min(1).optional(),
  timing: timingSchema.optional(),
  endAt: z.iso.datetime({ offset: true }).nullable().optional(),
  missed: z.enum(missedChoices).optional(),
  overlap: z.enum(overlapChoices).optional(),
});
export type ScheduleChange = Readonly<z.infer<typeof scheduleChangeSchema>>;

const time = z.iso.datetime();

export const scheduleViewSchema = z.object({
  id: z.uuid(),
  bronId: z.uuid(),
  title: z.string(),
  prompt: z.string(),
  /**
   * Whose words the prompt is. `model`: a task proposed it, and the owner only approved it.
   * `program`: a program sent it. Those ask for nothing in the owner's name.
   */
  writtenBy: z.enum(["owner", "model", "program"]),
  ...timingSchema.shape,
  watch: watchSchema.nullable(),
  missed: z.enum(missedChoices),
  overlap: z.enum(overlapChoices),
  endAt: time.nullable(),
  trustLevel: trustLevelSchema.nullable(),
  caps: capsSchema.pick({ costMicrousd: true, activeMs: true }).partial(),
  state: z.enum(scheduleStates),
  /** Null while it is active. */
  reason: z.enum(scheduleReasons).nullable(),
  /** For `account_lost`: what the connector said. */
  problem: z.string().nullable(),
  /** Failed tasks since the last one that ended well. */
  failures: z.number().int(),
  /** The next three times. Empty unless it is active. */
  nextTimes: z.array(time).readonly(),
  /** The last due time that started no task. */
  skipped: z.object({ at: time, reason: z.enum(skipReasons) }).nullable(),
  /** The newest tasks first. */
  lastRuns: z
    .array(
      z.object({
        id: z.uuid(),
        dueAt: time.nullable(),
        status: z.enum(runStates),
        outcome: z.enum(runOutcomes).nullable(),
        createdAt: time,
      }),
    )
    .readonly(),
  createdAt: time,
});
export type ScheduleView = Readonly<z.infer<typeof scheduleViewSchema>>;
