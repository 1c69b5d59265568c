import { describeTiming, scheduleKinds, type Timing } from "@bron/protocol";
import { z } from "zod";
import { cleanText } from "../context/clean-text.ts";
import { BronError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Schedule, Schedules } from "../ports/schedules.ts";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { contentValues } from "../policy/text/content-values.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { nextTimes, requireNextTime } from "./next-times.ts";

interface ScheduleToolDeps {
  readonly schedules: Pick<Schedules, "create" | "get">;
  readonly clock: Pick<Clock, "now">;
  /** The owner's zone, for schedules whose call names none. */
  readonly zoneOf: (ownerId: string) => Promise<string>;
}

/** Exactly what is created, with what the owner needs to see of it. */
interface PreparedSchedule extends Timing {
  readonly title: string;
  readonly prompt: string;
  /** The timing in words. */
  readonly when: string;
  /** The next three times, in the zone of the schedule. */
  readonly next: string[];
  [key: string]: string | string[];
}

const input = z.object({
  title: z.string().trim().min(1).max(200).describe("A few words for the user"),
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe("The task to start each time, in full and in the user's words"),
  kind: z.enum(scheduleKinds),
  expression: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe(
      'cron: five fields, such as "0 8 * * 1-5". interval: "30m", "2h" or "1d". once: "2026-12-24T09:00"',
    ),
  zone: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe("Time zone, such as Europe/Berlin. Omit it unless the user names one"),
});

/** Who wrote the words of a schedule that a run proposed. They ask for nothing. */
const author = "Schedule proposed by Bron";

/**
 * Lets the model propose a schedule. The owner is asked at every trust level and whatever the rules
 * say, because what it starts runs without the owner.
 */
export function scheduleTool({ schedules, clock, zoneOf }: ScheduleToolDeps): Tool {
  return defineTool({
    name: "schedule_create",
    description:
      "Proposes to start a task again and again at fixed times, or once at a later time. The user approves it first. Use it when the user asks for something every day, every Monday, or later.",
    input,
    sideEffect: true,
    label: "trusted",
    timeoutMs: 10_000,
    async prepare({ title, prompt, kind, expression, zone: named }, { ownerId }) {
      const zone = named ?? (await zoneOf(ownerId));
      const timing = { kind, expression, zone };
      requireNextTime(timing, { after: clock.now() });
      const prepared: PreparedSchedule = {
        title: cleanText(title),
        prompt: cleanText(prompt),
        ...timing,
        when: describeTiming(timing),
        next: nextTimes(timing, 3, { after: clock.now() }).map((time) => formatIn(zone, time)),
      };
      return { prepared, preview: previewOf(prepared) };
    },
    facts: factsOf,
    execute: async (prepared: PreparedSchedule, { ownerId, bronId, actionId }) =>
      outputOf(await create(schedules, { ownerId, bronId, actionId }, prepared)),
    // The id is that of the action, so a repeated attempt finds what the first one created.
    async reconcile(_, { ownerId, actionId }) {
      const created = await schedules.get(ownerId, actionId);
      return created ? { state: "done", output: outputOf(created) } : { state: "not_done" };
    },
  });
}

async function create(
  schedules: ScheduleToolDeps["schedules"],
  { ownerId, bronId, actionId }: Readonly<Record<"ownerId" | "bronId" | "actionId", string>>,
  { title, prompt, kind, expression, zone }: PreparedSchedule,
): Promise<Schedule> {
  try {
    return await schedules.create(ownerId, {
      id: actionId,
      bronId,
      title,
      prompt,
      program: author,
      isProposed: true,
      kind,
      expression,
      zone,
      watch: null,
      missed: "once",
      overlap: "skip",
      endAt: null,
      trustLevel: null,
      caps: {},
    });
  } catch (error) {
    if (BronError.is(error, "conflict") || BronError.is(error, "invalid_input"))
      throw new BronError("effect_not_done", error.message, { cause: error });
    throw error;
  }
}

function factsOf({ title, prompt }: PreparedSchedule): EffectFacts {
  return {
    kind: "other",
    account: "",
    recipients: [],
    ...contentValues(prompt),
    text: prompt,
    titles: [title],
    attachments: [],
    warnings: [{ code: "starts_by_itself" }],
  };
}

const outputOf = ({ id, title, kind, expression, zone, nextAt }: Schedule) => ({
  scheduleId: id,
  title,
  when: describeTiming({ kind, expression }),
  zone,
  next: nextAt === null ? "" : formatIn(zone, Date.parse(nextAt)),
});

function previewOf({ title, prompt, when, zone, next }: PreparedSchedule): string {
  return [
    ...(title === prompt ? [] : [title, ""]),
    prompt,
    "",
    `${when} (${zone})`,
    `Next: ${next.join(" · ")}`,
  ].join("\n");
}

function formatIn(zone: string, time: number): string {
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(time);
}
