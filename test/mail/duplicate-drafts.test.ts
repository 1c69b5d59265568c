import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openMailHarness, outputsOf, ownerId, type MailHarness } from "./support/mail-harness.ts";
import { draftAndSend } from "./support/mail-script.ts";

const send = "gmail.users.drafts.send";
const mail = { to: ["eva@elsewhere.example"], subject: "Numbers", bodyText: "Here they are." };

describe("a draft that Google makes long after it was given up", () => {
  let harness: MailHarness;
  beforeEach(async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script: draftAndSend(mail),
      times: { draftMs: 500, sendMs: 700, searchDelaysMs: [0] },
    });
  });
  afterEach(async () => await harness.close());

  /** A run that waits with its draft, while the first request for one still hangs. */
  const parked = async () => {
    harness.simulator.faults.add({
      method: "gmail.users.drafts.create",
      kind: "frozen",
      when: "before",
    });
    const run = await harness.begin("send it");
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

  it("X1 goes when the mail is sent", async () => {
    const run = await parked();
    harness.simulator.faults.release();
    await expect.poll(async () => (await drafts()).length).toBe(2);
    await harness.approve(run.id);
    expect(await harness.rest(run.id)).toMatchObject({ status: "completed" });
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 does not pass for the one that was sent: nothing is sent again", async () => {
    const run = await parked();
    // It leaves, its answer is lost, and Sent does not show it yet.
    harness.simulator.control.changeSettings({ sentLagMs: 600_000 });
    harness.simulator.faults.add({ method: send, kind: "cut", when: "after" });
    await harness.approve(run.id);
    await sendings(1);
    harness.simulator.faults.release();
    await harness.rest(run.id);
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(await harness.runtime.runs.effects(ownerId, run.id)).toMatchObject([
      { state: "done" },
      { state: "unknown" },
    ]);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 does not pass for the one of a later attempt either", async () => {
    const run = await parked();
    harness.simulator.control.changeSettings({ sentLagMs: 600_000 });
    harness.simulator.faults.add({ method: send, kind: "cut", when: "before" });
    harness.simulator.faults.add({ method: send, kind: "cut", when: "after" });
    await harness.approve(run.id);
    await sendings(2);
    harness.simulator.faults.release();
    await harness.rest(run.id);
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(outputsOf(await harness.events(run.id), "gmail_draft_send")).toMatchObject([
      { code: "effect_unknown" },
    ]);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 is left alone by a second attempt after an answer that proves that nothing happened", async () => {
    const run = await parked();
    harness.simulator.faults.add({ method: send, kind: "cut", when: "before" });
    harness.simulator.faults.add({
      method: send,
      kind: "status",
      status: 429,
      retryAfterSeconds: 0,
    });
    await harness.approve(run.id);
    expect(await harness.rest(run.id)).toMatchObject({ status: "completed" });
    harness.simulator.faults.release();
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(outputsOf(await harness.events(run.id), "gmail_draft_send")).toMatchObject([
      { sentMessageId: harness.simulator.record().sent[0]?.messageId },
    ]);
  }, 60_000);
});
