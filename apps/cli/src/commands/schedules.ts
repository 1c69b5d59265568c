import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import {
  describeTiming,
  omitUndefined,
  scheduleStateText,
  skipText,
  type NewScheduleInput,
  type ScheduleView,
  type Timing,
  type TrustLevel,
  type WatchSource,
} from "@bron/protocol";
import { randomUUID } from "node:crypto";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findBron } from "../find-bron.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { fields, table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { hint, json, line, note } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

interface AddOptions extends Json {
  readonly cron?: string;
  readonly every?: string;
  readonly at?: string;
  readonly zone?: string;
  readonly title?: string;
  readonly bron?: string;
  readonly until?: string;
  readonly missed: ScheduleView["missed"];
  readonly overlap: ScheduleView["overlap"];
  readonly trust?: TrustLevel;
  readonly maxCost?: number;
  readonly watch?: WatchSource;
  readonly query?: string;
  readonly together?: true;
}

export async function listSchedules(context: CommandContext, options: Json): Promise<ExitCode> {
  const { terminal } = context;
  const { schedules } = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("GET /api/schedules"),
  );
  if (options.json === true) json(terminal, { schedules });
  else if (schedules.length === 0)
    hint(
      terminal,
      `No schedules. Create one: bron schedule add "Summarize my unread email" --cron "0 8 * * 1-5"`,
    );
  else {
    const rows = schedules.map((schedule) => [
      shortId(schedule.id),
      oneLine(whenOf(schedule)),
      schedule.state === "active" ? timeIn(schedule, schedule.nextTimes[0]) : "–",
      scheduleStateText(schedule),
      oneLine(schedule.title),
    ]);
    for (const text of table(["ID", "WHEN", "NEXT", "STATE", "TITLE"], rows, terminal.columns))
      line(terminal, text);
  }
  return 0;
}

export async function addSchedule(
  context: CommandContext,
  prompt: string,
  { bron, json: asJson, ...options }: AddOptions,
): Promise<ExitCode> {
  const body = requestOf(prompt, options);
  const schedule = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const bronId = bron === undefined ? undefined : (await findBron(client, bron)).id;
    return await client.call("POST /api/schedules", {
      body: { ...body, ...omitUndefined({ bronId }) },
    });
  });
  print(context, schedule, { asJson, done: "Created." });
  return 0;
}

export async function showSchedule(
  context: CommandContext,
  id: string,
  options: Json,
): Promise<ExitCode> {
  const schedule = await reachRuntime(context, { work: "none" }, ({ client }) => find(client, id));
  print(context, schedule, { asJson: options.json });
  return 0;
}

export async function changeSchedule(
  context: CommandContext,
  how: "pause" | "resume" | "run" | "remove",
  id: string,
  options: Json,
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "none" }, async ({ client }): Promise<ExitCode> => {
    const { id: found, title } = await find(client, id);
    const params = { id: found };
    if (how === "remove") {
      const removed = await client.call("POST /api/schedules/:id/remove", { params, body: {} });
      if (options.json === true) json(terminal, removed);
      else note(terminal, `Removed ${oneLine(title)}. Its tasks stay.`);
    } else if (how === "run") {
      const run = await client.call("POST /api/schedules/:id/run", {
        params,
        body: {},
        idempotencyKey: randomUUID(),
      });
      if (options.json === true) json(terminal, { run });
      else note(terminal, `Started. See it: ${terminal.calledAs} runs show ${shortId(run.id)}`);
    } else {
      const schedule = await client.call(`POST /api/schedules/:id/${how}`, { params, body: {} });
      print(context, schedule, {
        asJson: options.json,
        done: how === "pause" ? "Paused." : "Resumed.",
      });
    }
    return 0;
  });
}

function requestOf(
  prompt: string,
  { title, until, missed, overlap, trust, maxCost, watch, query, together, ...timing }: AddOptions,
): NewScheduleInput {
  if (query !== undefined && watch === undefined)
    throw new BronError("invalid_input", "--query needs --watch gmail, slack, calendar or page.");
  return {
    prompt,
    ...timingOf(timing, watch),
    missed,
    overlap,
    ...omitUndefined({
      title,
      trustLevel: trust,
      endAt: until === undefined ? undefined : timeOf(until),
      caps: maxCost === undefined ? undefined : { costMicrousd: Math.round(maxCost * 1_000_000) },
      watch:
        watch === undefined
          ? undefined
          : ({ source: watch, query: query ?? "", batch: together ? "together" : "each" } as const),
    }),
  };
}

/** A watch is polled every five minutes unless the owner says otherwise. */
function timingOf(
  { cron, every, at, zone }: Pick<AddOptions, "cron" | "every" | "at" | "zone">,
  watch: WatchSource | undefined,
): Timing {
  const given = [
    { kind: "cron", expression: cron },
    { kind: "interval", expression: every },
    { kind: "once", expression: at },
  ] as const;
  const [timing, ...more] = given.filter(({ expression }) => expression !== undefined);
  const zoneName = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timing === undefined && watch !== undefined)
    return { kind: "interval", expression: "5m", zone: zoneName };
  if (timing?.expression === undefined || more.length > 0)
    throw new BronError(
      "invalid_input",
      'Say when, with one of --cron "0 8 * * 1-5", --every 2h or --at 2026-12-24T09:00.',
    );
  return { kind: timing.kind, expression: timing.expression, zone: zoneName };
}

function timeOf(text: string): string {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new BronError("invalid_input", "--until must be a time, such as 2026-12-31T23:59.");
}

async function find(client: Client, id: string): Promise<ScheduleView> {
  const { schedules } = await client.call("GET /api/schedules");
  const [found, ...more] = schedules.filter((one) => one.id.startsWith(id.toLowerCase()));
  if (!found)
    throw new BronError("not_found", `No schedule with ID ${id}.`, {
      details: { hint: "List them with: bron schedule list" },
    });
  if (more.length > 0)
    throw new BronError("invalid_input", `${id} matches several. Use more characters.`);
  return found;
}

function whenOf(schedule: ScheduleView): string {
  const when = describeTiming(schedule);
  return schedule.watch === null
    ? when
    : `${when}: new in ${schedule.watch.source}${schedule.watch.query === "" ? "" : ` (${schedule.watch.query})`}`;
}

function timeIn({ zone }: ScheduleView, at: string | undefined): string {
  if (at === undefined) return "–";
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    dateStyle: "medium",
    timeStyle: "short",
  }).format(new Date(at));
}

const writers = {
  owner: "you",
  model: "Bron. They don't count as your words",
  program: "a program. They don't count as your words",
} as const;

function print(
  { terminal }: CommandContext,
  schedule: ScheduleView,
  { asJson, done }: { readonly asJson?: boolean | undefined; readonly done?: string },
): void {
  if (asJson === true) return json(terminal, { schedule });
  const { skipped, lastRuns, nextTimes, problem, failures } = schedule;
  const rows: [string, string][] = [
    ["ID", schedule.id],
    ["Title", oneLine(schedule.title)],
    ["Task", oneLine(schedule.prompt)],
    ["Words by", writers[schedule.writtenBy]],
    ["When", `${whenOf(schedule)} (${schedule.zone})`],
    ["State", scheduleStateText(schedule)],
    ...(problem === null ? [] : [["Problem", oneLine(problem)] as [string, string]]),
    ...(failures === 0 ? [] : [["Failed in a row", String(failures)] as [string, string]]),
    ...nextTimes.map((at, index): [string, string] => [
      index === 0 ? "Next" : "Then",
      timeIn(schedule, at),
    ]),
    ...(skipped
      ? [
          ["Skipped", `${timeIn(schedule, skipped.at)}: ${skipText(skipped.reason)}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...lastRuns.map(({ id, status, createdAt }, index): [string, string] => [
      index === 0 ? "Last task" : "Before",
      `${shortId(id)}  ${timeIn(schedule, createdAt)}  ${status}`,
    ]),
  ];
  for (const text of fields(rows)) line(terminal, text);
  if (done !== undefined) note(terminal, done);
}
