import type { FaultRule } from "@bron/simulator";
import { afterEach, describe, expect, inject, it } from "vitest";
import {
  cardsOf,
  openMailHarness,
  outputsOf,
  ownerId,
  type MailHarness,
} from "./support/mail-harness.ts";
import { draftAndSend } from "./support/mail-script.ts";

const mail = { to: ["eva@elsewhere.example"], subject: "Numbers", bodyText: "Here they are." };

/** A run that is parked before the send, in its own harness. */
async function startParkedRun(harness: MailHarness) {
  const run = await harness.runUntilParked("send it");
  expect(run.status).toBe("awaiting_confirmation");
  return run;
}

describe("a send whose response is lost", () => {
  let harness: MailHarness;
  afterEach(async () => await harness.close());

  const cases: readonly (readonly [string, Omit<FaultRule, "method">, "once" | "retried"])[] = [
    ["500 before the effect", { kind: "status", status: 500, when: "before" }, "retried"],
    ["503 before the effect", { kind: "status", status: 503, when: "before" }, "retried"],
    ["500 after the effect", { kind: "status", status: 500, when: "after" }, "once"],
    ["cut before the effect", { kind: "cut", when: "before" }, "retried"],
    ["cut after the effect", { kind: "cut", when: "after" }, "once"],
    ["429 with Retry-After", { kind: "status", status: 429, retryAfterSeconds: 1 }, "retried"],
    ["401", { kind: "status", status: 401 }, "retried"],
  ];

  it.each(cases)(
    "X2 BR18 BR20 leaves the mail sent exactly once: %s",
    async (_name, fault, how) => {
      harness = await openMailHarness(inject("postgresUrl"), { script: draftAndSend(mail) });
      const run = await startParkedRun(harness);
      harness.simulator.faults.add({ method: "gmail.users.drafts.send", ...fault });
      await harness.approve(run.id);
      const ended = await harness.waitUntilParked(run.id);
      const events = await harness.events(run.id);
      expect(harness.simulator.record().sent.map(({ subject }) => subject)).toEqual(["Numbers"]);
      expect(ended.status).toBe("completed");
      expect(
        outputsOf(events, "gmail_draft_send"),
        JSON.stringify(events.filter(({ type }) => type === "effect" || type === "log")),
      ).toEqual([
        expect.objectContaining({ sentMessageId: harness.simulator.record().sent[0]?.messageId }),
      ]);
      // A recovered send has the time that the mailbox recorded.
      if (how === "once")
        expect(events.at(-2)).toMatchObject({
          payload: {
            kind: "RunSummaryCard",
            payload: {
              sentMessageId: harness.simulator.record().sent[0]?.messageId,
              sentAt: harness.simulator.record().sent[0]?.time,
            },
          },
        });
    },
    90_000,
  );

  it("X2 is unknown, and says what to check, when the draft is gone and Sent does not show the mail", async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script: draftAndSend(mail) });
    const run = await startParkedRun(harness);
    harness.simulator.control.changeSettings({ sentLagMs: 600_000 });
    harness.simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "after" });
    await harness.approve(run.id);
    await harness.waitUntilParked(run.id);
    const events = await harness.events(run.id);
    expect(harness.simulator.record().sent).toHaveLength(1);
    expect(cardsOf(events)).toContain("UnknownEffectCard");
    expect(
      (
        await harness.runtime
          .clientFor(ownerId)
          .call("GET /api/runs/:id/effects", { params: { id: run.id } })
      ).effects,
    ).toMatchObject([{ state: "done" }, { state: "unknown" }]);
  }, 90_000);

  it("X2 is not repeated by a request that was frozen and wakes after Bron gave up on it", async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script: draftAndSend(mail) });
    const run = await startParkedRun(harness);
    harness.simulator.faults.add({
      method: "gmail.users.drafts.send",
      kind: "frozen",
      when: "before",
    });
    await harness.approve(run.id);
    await harness.waitUntilParked(run.id);
    harness.simulator.faults.release();
    // The mailbox serves another task after it, so it has served the late request before that.
    await startParkedRun(harness);
    expect(harness.simulator.record().sent).toHaveLength(1);
  }, 120_000);
});

describe("a draft that its owner changes before the send", () => {
  let harness: MailHarness;
  afterEach(async () => await harness.close());
  const draftOf = async () =>
    (await harness.simulator.control.drafts(harness.owner)).find(
      ({ subject }) => subject === "Numbers",
    );

  it("X1 is not sent when it was changed, because the approval was for other content", async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script: draftAndSend(mail) });
    const run = await startParkedRun(harness);
    const draft = await draftOf();
    await harness.simulator.control.editDraft(
      { account: harness.owner, draftId: draft?.draftId ?? "" },
      {
        from: harness.owner,
        to: "mallory@elsewhere.example",
        subject: "Numbers",
        text: "Other words.",
      },
    );
    await harness.approve(run.id);
    await harness.waitUntilParked(run.id);
    expect(harness.simulator.record().sent).toEqual([]);
    expect(outputsOf(await harness.events(run.id), "gmail_draft_send")).toMatchObject([
      { code: "effect_not_done", message: expect.stringContaining("changed") },
    ]);
  });

  it.each(["deleted", "sent"])(
    "X1 is never counted as sent by Bron when it was %s by hand",
    async (how) => {
      harness = await openMailHarness(inject("postgresUrl"), { script: draftAndSend(mail) });
      const run = await startParkedRun(harness);
      const name = { account: harness.owner, draftId: (await draftOf())?.draftId ?? "" };
      if (how === "deleted") harness.simulator.control.deleteDraft(name);
      else await harness.simulator.control.sendDraft(name);
      await harness.approve(run.id);
      await harness.waitUntilParked(run.id);
      expect(harness.simulator.record().sent.filter(({ by }) => by === "app")).toEqual([]);
      expect(outputsOf(await harness.events(run.id), "gmail_draft_send")).toMatchObject([
        { code: "effect_not_done", message: "Not sent: the draft no longer exists in Gmail." },
      ]);
    },
  );
});
