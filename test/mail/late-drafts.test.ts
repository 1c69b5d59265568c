import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openMailLab, outputsOf, ownerId, type MailLab } from "./support/mail-lab.ts";
import { draftAndSend } from "./support/mail-script.ts";

const send = "gmail.users.drafts.send";
const mail = { to: ["eva@elsewhere.example"], subject: "Numbers", bodyText: "Here they are." };

describe("a draft that Google makes long after it was given up", () => {
  let lab: MailLab;
  beforeEach(async () => {
    lab = await openMailLab(inject("postgresUrl"), {
      script: draftAndSend(mail),
      times: { draftMs: 500, sendMs: 700, looksMs: [0] },
    });
  });
  afterEach(async () => await lab.close());

  /** A run that waits with its draft, while the first request for one still hangs. */
  const parked = async () => {
    lab.world.faults.add({ method: "gmail.users.drafts.create", kind: "frozen", when: "before" });
    const run = await lab.begin("send it");
    expect(run.status).toBe("awaiting_confirmation");
    expect(lab.world.faults.frozen()).toBe(1);
    return run;
  };
  const drafts = async () =>
    (await lab.world.control.drafts(lab.owner)).filter(({ subject }) => subject === "Numbers");
  const sendings = (times: number) =>
    expect
      .poll(
        () =>
          lab.world
            .record()
            .calls.filter(({ method, ending }) => method === send && ending !== "open").length,
        { timeout: 20_000, interval: 5 },
      )
      .toBe(times);

  it("X1 goes when the mail is sent", async () => {
    const run = await parked();
    lab.world.faults.release();
    await expect.poll(async () => (await drafts()).length).toBe(2);
    await lab.approve(run.id);
    expect(await lab.rest(run.id)).toMatchObject({ status: "completed" });
    expect(lab.world.record().sent).toHaveLength(1);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 does not pass for the one that was sent: nothing is sent again", async () => {
    const run = await parked();
    // It leaves, its answer is lost, and Sent does not show it yet.
    lab.world.control.changeSettings({ sentLagMs: 600_000 });
    lab.world.faults.add({ method: send, kind: "cut", when: "after" });
    await lab.approve(run.id);
    await sendings(1);
    lab.world.faults.release();
    await lab.rest(run.id);
    expect(lab.world.record().sent).toHaveLength(1);
    expect(await lab.bron.runs.effects(ownerId, run.id)).toMatchObject([
      { state: "done" },
      { state: "unknown" },
    ]);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 does not pass for the one of a later attempt either", async () => {
    const run = await parked();
    lab.world.control.changeSettings({ sentLagMs: 600_000 });
    lab.world.faults.add({ method: send, kind: "cut", when: "before" });
    lab.world.faults.add({ method: send, kind: "cut", when: "after" });
    await lab.approve(run.id);
    await sendings(2);
    lab.world.faults.release();
    await lab.rest(run.id);
    expect(lab.world.record().sent).toHaveLength(1);
    expect(outputsOf(await lab.events(run.id), "gmail_draft_send")).toMatchObject([
      { code: "effect_unknown" },
    ]);
    expect(await drafts()).toEqual([]);
  }, 60_000);

  it("X2 is left alone by a second attempt after an answer that proves that nothing happened", async () => {
    const run = await parked();
    lab.world.faults.add({ method: send, kind: "cut", when: "before" });
    lab.world.faults.add({ method: send, kind: "status", status: 429, retryAfterSeconds: 0 });
    await lab.approve(run.id);
    expect(await lab.rest(run.id)).toMatchObject({ status: "completed" });
    lab.world.faults.release();
    expect(lab.world.record().sent).toHaveLength(1);
    expect(outputsOf(await lab.events(run.id), "gmail_draft_send")).toMatchObject([
      { sentMessageId: lab.world.record().sent[0]?.messageId },
    ]);
  }, 60_000);
});
