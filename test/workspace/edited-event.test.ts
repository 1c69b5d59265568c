import type { JsonObject } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  openMailHarness,
  outputsOf,
  ownerId,
  type MailHarness,
} from "../mail/support/mail-harness.ts";
import { callScript, type ScriptedCall } from "./support/call-script.ts";

const tubes = {
  summary: "Frame tubes",
  start: "2027-03-30T09:00",
  durationMinutes: 45,
  location: "Workshop",
  description: "Prices.",
  guests: ["Eva Brandt <eva@brandt-metall.example>"],
};

describe("an event that is edited before it is created or changed", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script: callScript });
  });
  afterAll(async () => await harness.close());

  const pendingOf = async (runId: string) => {
    const [approval, ...more] = await harness.runtime
      .clientFor(ownerId)
      .list("GET /api/approvals", {
        runId,
        pending: "true",
      });
    if (!approval || more.length > 0) throw new Error("Expected exactly one pending approval");
    return approval;
  };
  const shown = async (call: ScriptedCall) => {
    const run = await harness.runUntilParked(JSON.stringify([call]));
    return { runId: run.id, approval: await pendingOf(run.id) };
  };
  const edited = async (runId: string, changes: JsonObject) => {
    const { id, digest } = await pendingOf(runId);
    await harness.runtime
      .clientFor(ownerId)
      .call("POST /api/approvals/:id/edit", { params: { id }, body: { digest, changes } });
    await harness.waitUntilParked(runId);
    return await pendingOf(runId);
  };
  const done = async (runId: string) => {
    const before = harness.simulator.record().calendar.length;
    await harness.approve(runId);
    await harness.waitUntilParked(runId);
    return harness.simulator
      .record()
      .calendar.slice(before)
      .filter(({ by }) => by === "app");
  };

  it("X1 BR2 is created once as the last approval showed it, and a new start keeps the duration", async () => {
    const { runId, approval } = await shown({ tool: "calendar_event_create", input: tubes });
    expect(approval.editable).toEqual({
      summary: "Frame tubes",
      start: "2027-03-30T09:00:00+02:00",
      end: "2027-03-30T09:45:00+02:00",
      location: "Workshop",
      description: "Prices.",
      guests: ["Eva Brandt <eva@brandt-metall.example>"],
    });
    const after = await edited(runId, { start: "2027-03-31T14:00", guests: [harness.colleague] });
    expect(after.diff.map(({ field }) => field).toSorted()).toEqual(["end", "guests", "start"]);
    expect(after.preview).toContain(
      "When: Wed, Mar 31, 2027, 2:00–2:45 PM (Europe/Berlin, UTC+02:00)",
    );
    expect(after.preview).toContain(`Guests: ${harness.colleague}\n`);
    const [change, ...more] = await done(runId);
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      kind: "inserted",
      eventId: (after.prepared as { eventId: string }).eventId,
      notified: [harness.colleague],
    });
    expect(change?.event).toMatchObject({
      summary: "Frame tubes",
      location: "Workshop",
      description: "Prices.",
      start: { dateTime: "2027-03-31T14:00:00+02:00" },
      end: { dateTime: "2027-03-31T14:45:00+02:00" },
    });
  });

  it("X3 gets its old fields back if only the owner sees it, also after an edit", async () => {
    const { guests: _, ...alone } = tubes;
    const created = await shown({ tool: "calendar_event_create", input: alone });
    const [{ eventId } = { eventId: "" }] = await done(created.runId);
    const { runId } = await shown({
      tool: "calendar_event_update",
      input: { eventId, location: "Roof" },
    });
    await edited(runId, { location: "Cellar", start: "2027-03-30T11:00" });
    expect((await done(runId))[0]?.event).toMatchObject({ location: "Cellar" });
    const client = harness.runtime.clientFor(ownerId);
    const { effects } = await client.call("GET /api/runs/:id/effects", { params: { id: runId } });
    const { id } = effects.find(({ state }) => state === "done")!;
    const before = harness.simulator.record().calendar.length;
    await client.call("POST /api/effects/:id/restore", { params: { id } });
    const changes = harness.simulator.record().calendar.slice(before);
    expect(changes).toMatchObject([
      {
        notified: [],
        event: { location: "Workshop", start: { dateTime: "2027-03-30T09:00:00+02:00" } },
      },
    ]);
  });

  it("X1 BR2 keeps all-day dates, and explains an invalid time", async () => {
    const { runId, approval } = await shown({
      tool: "calendar_event_create",
      input: { summary: "Fair", start: "2027-05-03", end: "2027-05-05" },
    });
    expect(approval.editable).toMatchObject({ start: "2027-05-03", end: "2027-05-05", guests: [] });
    expect(await edited(runId, { start: "some day" })).toMatchObject({
      diff: [],
      reasons: expect.arrayContaining([
        { code: "edit_failed", message: expect.stringContaining("is not a time") },
      ]),
    });
    await edited(runId, { start: "2027-05-10" });
    const [change] = await done(runId);
    expect(change?.event).toMatchObject({
      start: { date: "2027-05-10" },
      end: { date: "2027-05-13" },
    });
  });

  it("X1 BR2 is changed as the last approval showed it", async () => {
    const made = await shown({ tool: "calendar_event_create", input: tubes });
    await done(made.runId);
    const { eventId } = outputsOf(await harness.events(made.runId), "calendar_event_create")[0] as {
      eventId: string;
    };
    const { runId, approval } = await shown({
      tool: "calendar_event_update",
      input: { eventId, location: "Office", addGuests: [harness.colleague] },
    });
    expect(approval.editable).toEqual({
      location: "Office",
      guests: ["Eva Brandt <eva@brandt-metall.example>", harness.colleague],
    });
    const after = await edited(runId, {
      location: "Yard",
      summary: "Tubes",
      guests: ["eva@brandt-metall.example"],
    });
    expect(after.diff).toEqual(
      expect.arrayContaining([
        { field: "location", before: "Office", after: "Yard" },
        { field: "summary", before: "", after: "Tubes" },
      ]),
    );
    const [change, ...more] = await done(runId);
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      eventId,
      event: {
        summary: "Tubes",
        location: "Yard",
        description: "Prices.",
        start: { dateTime: "2027-03-30T09:00:00+02:00" },
      },
    });
    expect(JSON.stringify(change?.event)).not.toContain(harness.colleague);
  });
});
