import type { NewSchedule, Schedule } from "@bron/core";
import { defaultCaps, maxScheduleFailures, type NewEvent, type RunView } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

const day = 86_400_000;

export const newSchedule = (extra: Partial<NewSchedule> = {}): NewSchedule => ({
  id: randomUUID(),
  title: "Mail summary",
  prompt: "Summarize my unread mail",
  isProposed: false,
  kind: "interval",
  expression: "1d",
  zone: "Europe/Berlin",
  watch: null,
  missed: "once",
  overlap: "skip",
  endAt: null,
  trustLevel: null,
  caps: {},
  ...extra,
});

export function testSchedules({ claim, create, store, under }: StoreHarness): void {
  const add = async (extra: Partial<NewSchedule> = {}) => {
    const ownerId = freshOwner();
    return await store.schedules.create(ownerId, newSchedule(extra));
  };
  const read = async ({ ownerId, id }: Schedule) => (await store.schedules.get(ownerId, id))!;
  const runsOf = async ({ ownerId, id }: Schedule): Promise<RunView[]> =>
    (await store.runs.list(ownerId, { limit: 200 })).filter(({ scheduleId }) => scheduleId === id);
  /** Other schedules of the same store may be due too. */
  const sweep = async () => {
    while ((await store.schedules.startDue({ limit: 50, caps: defaultCaps })) > 0);
  };
  const end = async ({ id }: RunView, status: "completed" | "failed" | "canceled") => {
    const { lease, lastSeq } = await claim(id);
    const events: NewEvent[] = [{ type: "status", payload: { status } }];
    expect(
      await store.log.append(appendOf(lease, lastSeq, events, { release: "end" })),
    ).toMatchObject({ ok: true });
  };

  it("BR27 starts one run when a schedule is due, however often it is swept", async () => {
    const schedule = await add();
    await sweep();
    expect(await runsOf(schedule)).toEqual([]);
    await under.passTime(day);
    await Promise.all([sweep(), sweep(), sweep()]);
    const [run, ...more] = await runsOf(schedule);
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      title: "Mail summary",
      prompt: "Summarize my unread mail",
      bronId: schedule.bronId,
      status: "queued",
    });
    expect(run?.dueAt).not.toBeNull();
    const { nextAt } = await read(schedule);
    expect(Date.parse(nextAt ?? "")).toBeGreaterThan(Date.parse(run?.dueAt ?? ""));
    const last = await store.schedules.lastRuns(schedule.ownerId, [schedule.id]);
    expect(last.get(schedule.id)).toMatchObject([{ id: run?.id, status: "queued", outcome: null }]);
  });

  it("BR27 starts one run after a day of downtime, or none if missed times are skipped", async () => {
    const every = { expression: "1h" };
    const once = await add(every);
    const skip = await add({ ...every, missed: "skip" });
    await under.passTime(day + 30 * 60_000);
    await sweep();
    expect(await runsOf(once)).toHaveLength(1);
    expect(await runsOf(skip)).toEqual([]);
    expect((await read(skip)).skipped?.reason).toBe("missed");
    await under.passTime(31 * 60_000);
    await sweep();
    expect(await runsOf(skip)).toHaveLength(1);
  });

  it("BR27 skips a due time or waits while the last run is under way, as the owner chose", async () => {
    const skip = await add({ expression: "1h" });
    const wait = await add({ expression: "1h", overlap: "wait" });
    for (let hour = 0; hour < 3; hour++) {
      await under.passTime(60 * 60_000 + 1_000);
      await sweep();
    }
    expect(await runsOf(skip)).toHaveLength(1);
    expect((await read(skip)).skipped?.reason).toBe("overlap");
    const [first, ...more] = await runsOf(wait);
    expect(more).toEqual([]);
    await end(first!, "completed");
    await sweep();
    expect(await runsOf(wait)).toHaveLength(2);
  });

  it("BR27 pauses a schedule after five failed runs in a row, and says so", async () => {
    const schedule = await add({ expression: "1h" });
    const runOnce = async (status: "completed" | "failed" | "canceled") => {
      await under.passTime(60 * 60_000 + 1_000);
      await sweep();
      const open = (await runsOf(schedule)).find(({ finishedAt }) => finishedAt === null);
      await end(open!, status);
      await sweep();
    };
    await runOnce("failed");
    await runOnce("completed");
    expect((await read(schedule)).failures).toBe(0);
    for (let count = 1; count < maxScheduleFailures; count++) await runOnce("failed");
    await runOnce("canceled");
    expect(await read(schedule)).toMatchObject({ state: "active", failures: 4 });
    await runOnce("failed");
    expect(await read(schedule)).toMatchObject({
      state: "paused",
      reason: "failures",
      nextAt: null,
    });
    await under.passTime(day);
    await sweep();
    expect(await runsOf(schedule)).toHaveLength(8);
    expect(await store.audit.list(schedule.ownerId, { what: "schedule.paused" })).toMatchObject([
      { by: "system", details: { scheduleId: schedule.id, reason: "failures" } },
    ]);
    await store.schedules.resume(schedule.ownerId, schedule.id);
    expect(await read(schedule)).toMatchObject({ state: "active", reason: null, failures: 0 });
  });

  it("BR27 pauses, resumes, changes and removes a schedule, each with an audit row", async () => {
    const schedule = await add({ expression: "1h" });
    const { ownerId, id } = schedule;
    await store.schedules.pause(ownerId, id);
    await store.schedules.pause(ownerId, id);
    await under.passTime(day);
    await sweep();
    expect(await runsOf(schedule)).toEqual([]);
    expect(await read(schedule)).toMatchObject({ state: "paused", reason: "owner" });
    await store.schedules.resume(ownerId, id);
    expect(Date.parse((await read(schedule)).nextAt ?? "")).toBeGreaterThan(0);
    await store.schedules.change(ownerId, id, {
      title: "Other",
      timing: { kind: "cron", expression: "0 8 * * 1-5", zone: "Asia/Tokyo" },
    });
    expect(await read(schedule)).toMatchObject({
      title: "Other",
      kind: "cron",
      zone: "Asia/Tokyo",
    });
    const { run, created } = await store.schedules.runNow(ownerId, id, {
      key: "k",
      caps: defaultCaps,
    });
    expect(created).toBe(true);
    expect(run).toMatchObject({ scheduleId: id, dueAt: null });
    const again = await store.schedules.runNow(ownerId, id, { key: "k", caps: defaultCaps });
    expect(again).toMatchObject({ created: false, run: { id: run.id } });
    await store.schedules.remove(ownerId, id);
    expect(await store.schedules.get(ownerId, id)).toBeUndefined();
    await expect(store.schedules.pause(ownerId, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await store.runs.get(ownerId, run.id))?.scheduleId).toBe(id);
    const rows = await store.audit.list(ownerId, { what: "schedule" });
    expect(rows.map(({ what }) => what).toReversed()).toEqual([
      "schedule.created",
      "schedule.paused",
      "schedule.resumed",
      "schedule.changed",
      "schedule.started",
      "schedule.removed",
    ]);
  });

  it("BR27 ends a schedule at its end date, and one with a single time after it", async () => {
    const now = Date.parse((await add()).createdAt);
    const endAt = new Date(now + 90 * 60_000).toISOString();
    const limited = await add({ expression: "1h", endAt });
    const at = new Date(now + 60 * 60_000).toISOString();
    const once = await add({ kind: "once", expression: at });
    await under.passTime(60 * 60_000 + 60_000);
    await sweep();
    expect(await runsOf(once)).toHaveLength(1);
    expect(await read(once)).toMatchObject({ state: "ended", reason: "done", nextAt: null });
    await expect(store.schedules.resume(once.ownerId, once.id)).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await runsOf(limited)).toHaveLength(1);
    await expect(add({ kind: "once", expression: "2020-01-01T09:00" })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("BR27 hides schedules from other owners, and pauses one whose Bron is archived", async () => {
    const schedule = await add();
    const other = freshOwner();
    expect(await store.schedules.get(other, schedule.id)).toBeUndefined();
    expect(await store.schedules.list(other)).toEqual([]);
    for (const change of [
      () => store.schedules.pause(other, schedule.id),
      () => store.schedules.resume(other, schedule.id),
      () => store.schedules.remove(other, schedule.id),
      () => store.schedules.runNow(other, schedule.id, { key: "k", caps: defaultCaps }),
    ])
      await expect(change()).rejects.toMatchObject({ code: "not_found" });
    const ownerId = freshOwner();
    await create(ownerId);
    const bronId = await store.brons.create(ownerId, {
      name: "Other",
      systemPrompt: "",
      personaSource: "typed",
      trustLevel: "supervised",
    });
    const ofBron = await store.schedules.create(ownerId, newSchedule({ bronId }));
    await store.brons.setArchived(ownerId, bronId, true);
    await under.passTime(day);
    await sweep();
    expect(await read(ofBron)).toMatchObject({ state: "paused", reason: "bron_archived" });
    expect(await runsOf(ofBron)).toEqual([]);
  });

  it("BR27 gives the run of a schedule at most the trust level and caps of the schedule", async () => {
    const schedule = await add({ trustLevel: "supervised", caps: { costMicrousd: 5 } });
    await store.permissions.setTrustLevel(schedule.ownerId, null, "autonomous");
    await under.passTime(day);
    await sweep();
    const [run] = await runsOf(schedule);
    expect(run?.caps.costMicrousd).toBe(5);
    const { run: header } = await claim(run!.id);
    expect(header).toMatchObject({ scheduleId: schedule.id, maxTrustLevel: "supervised" });
    const child = await store.runs.create({
      ownerId: run!.ownerId,
      input: { prompt: "x", bronId: run!.bronId },
      title: "x",
      caps: defaultCaps,
      parent: { runId: run!.id, failureMode: "best_effort" },
    });
    expect((await claim(child.run.id)).run).toMatchObject({
      scheduleId: null,
      maxTrustLevel: "supervised",
    });
  });

  it("BR27 lets only a prompt that the owner typed be the owner's words", async () => {
    const typed = await add();
    const proposed = await add({ isProposed: true, program: "Bron" });
    await under.passTime(day);
    await sweep();
    const wordsOf = async (schedule: Schedule) => {
      const [run] = await runsOf(schedule);
      const events = await store.runs.events(run!.ownerId, run!.id, 0);
      const task = events.find((event) => event.type === "message")?.payload;
      return task?.role === "user" ? task.program : "none";
    };
    expect(await wordsOf(typed)).toBeUndefined();
    expect(await wordsOf(proposed)).toBe("Bron");
    await store.schedules.change(proposed.ownerId, proposed.id, { prompt: "My own words" });
    const changed = await read(proposed);
    expect(changed.program).toBeUndefined();
    expect(changed.isProposed).toBe(false);
  });

  it("BR27 starts one run for each match of a watch, and none for what was there before", async () => {
    const watch = { source: "gmail", query: "from:eva", batch: "each" } as const;
    const schedule = await add({ expression: "5m", watch });
    const takeOwn = async () =>
      (await store.schedules.takeDueWatches(100)).find((due) => due.schedule.id === schedule.id);
    expect(await takeOwn()).toMatchObject({ cursor: null });
    expect(await takeOwn()).toBeUndefined();
    const { ownerId } = schedule;
    const poll = { scheduleId: schedule.id, ownerId };
    const record = (from: string | null, cursor: string, tasks: string[]) =>
      store.schedules.recordPoll({ ...poll, from, cursor, tasks }, defaultCaps);
    expect(await record(null, "1", [])).toBe(true);
    const both = await Promise.all([record("1", "2", ["a", "b"]), record("1", "2", ["a", "b"])]);
    expect(both.toSorted()).toEqual([false, true]);
    const runs = await runsOf(schedule);
    expect(runs).toHaveLength(2);
    const events = await store.runs.events(ownerId, runs.at(-1)!.id, 0);
    const task = events.find((event) => event.type === "message")?.payload;
    expect(task).toMatchObject({ role: "user", content: schedule.prompt });
    await under.passTime(5 * 60_000);
    expect(await takeOwn()).toMatchObject({ cursor: "2" });
    await store.schedules.pauseLost(ownerId, schedule.id, "Connect Google first.");
    expect(await read(schedule)).toMatchObject({
      state: "paused",
      reason: "account_lost",
      problem: "Connect Google first.",
    });
    expect(await record("2", "3", ["c"])).toBe(false);
  });
}
