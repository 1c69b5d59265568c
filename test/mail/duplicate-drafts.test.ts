import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openMailHarness, outputsOf, ownerId, type MailHarness } from "./support/mail-harness.ts";
import { draftAndSend } from "./support/mail-script.ts";

const send = "gmail.users.drafts.send";
const mail = { to: ["eva@elsewhere.example"], subject: "Numbers", bodyText: "Here they are." };

describe("a draft that Google creates long after Bron gave up on the request", () => {
  let harness: MailHarness;
  beforeEach(async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script: draftAndSend(mail),
      times: { draftMs: 500, sendMs: 700, searchDelaysMs: [0] },
    });
  });
  afterEach(async () => await harness.close());

  /** A run that waits with its draft while the first request for a draft still hangs. */
  const startParkedRun = async () => {
    harness.simulator.faults.add({
      method: "gmail.users.drafts.create",
      kind: "frozen",
      when: "before",
    });
    const run = await harness.runUntilParked("send it");
    expect(run.status).toBe("awaiting_confirmation");
    expect(harness.simulator.faults.frozen()).toBe(1);
    return run;
  };
  const drafts = async () =>
    (await harness.simulator.control.drafts(harness.owner)).filter(
      ({ subject }) => subject === "Numbers",
    );
  const sendings = (times: number) =>
    expect
      .poll(
        () =>
          harness.simulator
            .record()
            .calls.filter(({ method, ending }) => method === send && ending !== "open").length,
        { timeout: 20_000, interval: 5 },
      )
      .toBe(times);

  it("X1 is deleted when the mail is sent", async () => {
    const run = await startParkedRun();
    harness.simulator.faults.release();
    await expect.poll(async () => (await drafts()).length).toBe(2);
    await harness.approve(run.id);
    expect(await harness.waitUntilParked(run.id)).toMatchObject({ status: "completed" });
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 is not mistaken for the sent one, so nothing is sent again", async () => {
    const run = await startParkedRun();
    // The mail leaves, the response is lost, and Sent does not show the mail yet.
    harness.simulator.control.changeSettings({ sentLagMs: 600_000 });
    harness.simulator.faults.add({ method: send, kind: "cut", when: "after" });
    await harness.approve(run.id);
    await sendings(1);
    harness.simulator.faults.release();
    await harness.waitUntilParked(run.id);
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(
      (
        await harness.runtime
          .clientFor(ownerId)
          .call("GET /api/runs/:id/effects", { params: { id: run.id } })
      ).effects,
    ).toMatchObject([{ state: "done" }, { state: "unknown" }]);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 is not mistaken for the draft of a later attempt either", async () => {
    const run = await startParkedRun();
    harness.simulator.control.changeSettings({ sentLagMs: 600_000 });
    harness.simulator.faults.add({ method: send, kind: "cut", when: "before" });
    harness.simulator.faults.add({ method: send, kind: "cut", when: "after" });
    await harness.approve(run.id);
    await sendings(2);
    harness.simulator.faults.release();
    await harness.waitUntilParked(run.id);
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(outputsOf(await harness.events(run.id), "gmail_draft_send")).toMatchObject([
      { code: "effect_unknown" },
    ]);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 is left alone by a second attempt after a response that proves that nothing happened", async () => {
    const run = await startParkedRun();
    harness.simulator.faults.add({ method: send, kind: "cut", when: "before" });
    harness.simulator.faults.add({
      method: send,
      kind: "status",
      status: 429,
      retryAfterSeconds: 0,
    });
    await harness.approve(run.id);
    expect(await harness.waitUntilParked(run.id)).toMatchObject({ status: "completed" });
    harness.simulator.faults.release();
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(outputsOf(await harness.events(run.id), "gmail_draft_send")).toMatchObject([
      { sentMessageId: harness.simulator.record().sent[0]?.messageId },
    ]);
  }, 60_000);
});
