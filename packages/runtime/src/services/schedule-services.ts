import {
  BronError,
  cleanText,
  nextTimes,
  requireNextTime,
  scheduleNotFound,
  type Connector,
  type Schedule,
  type Schedules,
} from "@bron/core";
import {
  describeTiming,
  newScheduleSchema,
  omitUndefined,
  type Caps,
  type ScheduleView,
  type Watch,
} from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { watcherOf, type PageWatcher } from "../poll-watches.ts";
import { systemClock } from "../system-clock.ts";
import { Created, programOf, type ServicesOf } from "./service.ts";
import { titleOf } from "./start-run.ts";

type ScheduleKeys =
  | "GET /api/schedules"
  | "POST /api/schedules"
  | "POST /api/schedules/preview"
  | "GET /api/schedules/:id"
  | "PATCH /api/schedules/:id"
  | "POST /api/schedules/:id/pause"
  | "POST /api/schedules/:id/resume"
  | "POST /api/schedules/:id/run"
  | "POST /api/schedules/:id/remove";

export interface ScheduleServicesDeps {
  readonly schedules: Schedules;
  readonly caps: Caps;
  readonly connectors: readonly Connector[];
  readonly pageWatcher: PageWatcher | undefined;
}

/** How many of the next times are shown. */
const shownTimes = 3;

/** Tasks that start by the clock, or when a watch finds something. */
export function scheduleServices({
  schedules,
  caps,
  ...watching
}: ScheduleServicesDeps): ServicesOf<ScheduleKeys> {
  const views = async (ownerId: string, found: readonly Schedule[]) => {
    const runs = await schedules.lastRuns(
      ownerId,
      found.map(({ id }) => id),
    );
    return found.map((schedule) => viewOf(schedule, runs.get(schedule.id) ?? []));
  };
  const find = async (ownerId: string, id: string) => {
    const found = await schedules.get(ownerId, id);
    if (!found) throw scheduleNotFound(id);
    return (await views(ownerId, [found]))[0]!;
  };
  return {
    "GET /api/schedules": async ({ caller: { ownerId } }) => ({
      schedules: await views(ownerId, await schedules.list(ownerId)),
    }),
    async "POST /api/schedules"({ caller, body }) {
      const { prompt, title, bronId, watch, ...rest } = newScheduleSchema.parse(body);
      checkWatch(watch, watching);
      const created = await schedules.create(caller.ownerId, {
        id: randomUUID(),
        prompt: cleanText(prompt),
        title: cleanText(title === undefined || title === "" ? titleOf(prompt) : title),
        isProposed: false,
        watch,
        ...rest,
        ...omitUndefined({ bronId, program: programOf(caller) }),
      });
      return new Created(await find(caller.ownerId, created.id), `/api/schedules/${created.id}`);
    },
    "POST /api/schedules/preview": async ({ body }) => {
      const after = systemClock.now();
      requireNextTime(body, { after });
      return {
        words: describeTiming(body),
        nextTimes: nextTimes(body, shownTimes, { after }).map(toIso),
      };
    },
    "GET /api/schedules/:id": ({ caller: { ownerId }, params }) => find(ownerId, params.id),
    async "PATCH /api/schedules/:id"({ caller, params: { id }, body }) {
      const { prompt, title, ...rest } = body;
      await schedules.change(caller.ownerId, id, {
        ...omitUndefined({
          ...rest,
          title: title === undefined ? undefined : cleanText(title),
        }),
        ...(prompt === undefined
          ? {}
          : { prompt: cleanText(prompt), ...omitUndefined({ program: programOf(caller) }) }),
      });
      return await find(caller.ownerId, id);
    },
    async "POST /api/schedules/:id/pause"({ caller: { ownerId }, params: { id } }) {
      await schedules.pause(ownerId, id);
      return await find(ownerId, id);
    },
    async "POST /api/schedules/:id/resume"({ caller: { ownerId }, params: { id } }) {
      await schedules.resume(ownerId, id);
      return await find(ownerId, id);
    },
    async "POST /api/schedules/:id/run"({ caller: { ownerId }, params: { id }, idempotencyKey }) {
      const key = idempotencyKey ?? randomUUID();
      const { run, created } = await schedules.runNow(ownerId, id, { key, caps });
      return new Created(run, `/api/runs/${run.id}`, created);
    },
    async "POST /api/schedules/:id/remove"({ caller: { ownerId }, params: { id } }) {
      await schedules.remove(ownerId, id);
      return { removed: true };
    },
  };
}

function checkWatch(
  watch: Watch | null,
  watching: Pick<ScheduleServicesDeps, "connectors" | "pageWatcher">,
): void {
  if (!watch) return;
  if (watch.query === "" && watch.source !== "calendar")
    throw new BronError("invalid_input", "watch.query: say what to watch.");
  if (watch.source === "page" && !/^https?:\/\/\S+$/iu.test(watch.query))
    throw new BronError(
      "invalid_input",
      "watch.query: enter the address of a page, with https://.",
    );
  // A command may run without connectors. The worker has them.
  if (watching.connectors.length > 0 && !watcherOf(watch.source, watching))
    throw new BronError("invalid_input", `This Bron can't watch ${watch.source}.`);
}

const toIso = (time: number) => new Date(time).toISOString();

function viewOf(schedule: Schedule, lastRuns: ScheduleView["lastRuns"]): ScheduleView {
  const { ownerId: _, nextAt, program, isProposed, ...shown } = schedule;
  return {
    ...shown,
    writtenBy: program === undefined ? "owner" : isProposed ? "model" : "program",
    nextTimes: nextAt === null ? [] : timesFrom(schedule, nextAt),
    lastRuns,
  };
}

function timesFrom(schedule: Schedule, nextAt: string): string[] {
  const after = Date.parse(nextAt);
  const later = nextTimes(schedule, shownTimes - 1, { after, endAt: schedule.endAt });
  return [nextAt, ...later.map(toIso)];
}
