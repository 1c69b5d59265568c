import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { EffectView } from "@bron/protocol";
import { openMailHarness, outputsOf, ownerId, type MailHarness } from "./support/mail-harness.ts";

const update = "gmail.users.drafts.update";
const mail = { to: ["eva@elsewhere.example"], subject: "Numbers" };

describe("restoring a draft that a task replaced", () => {
  let harness: MailHarness;
  let draftId = "";
  let createdBy = "";
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script({ options }) {
        const since = options.prompt.findLastIndex(({ role }) => role === "user");
        if (options.prompt.length > since + 1) return { text: "Done." };
        const said = options.prompt[since];
        const words =
          said?.role === "user"
            ? said.content.map((part) => (part.type === "text" ? part.text : "")).join("")
            : "";
        const bodyText = words.slice(words.indexOf(":") + 2);
        const input = { ...mail, bodyText };
        if (words.startsWith("Send"))
          return { calls: [{ tool: "gmail_draft_send", input: { draftId } }] };
        return words.startsWith("Create")
          ? { calls: [{ tool: "gmail_draft_create", input }] }
          : { calls: [{ tool: "gmail_draft_update", input: { ...input, draftId } }] };
      },
    });
  });
  afterAll(async () => await harness.close());
  beforeEach(async () => {
    const { id } = await harness.runUntilParked("Create a draft: old");
    createdBy = id;
    const [output] = outputsOf(await harness.events(id), "gmail_draft_create");
    ({ draftId } = output as { draftId: string });
  });

  const replace = async (text: string): Promise<EffectView> => {
    const run = await harness.runUntilParked(`Replace the draft: ${text}`);
    expect(run.status).toBe("awaiting_confirmation");
    await harness.approve(run.id);
    expect(await harness.waitUntilParked(run.id)).toMatchObject({ status: "completed" });
    const { effects } = await harness.runtime
      .clientFor(ownerId)
      .call("GET /api/runs/:id/effects", { params: { id: run.id } });
    const effect = effects.find(({ state }) => state === "done");
    if (!effect) throw new Error("Nothing was replaced");
    return effect;
  };
  const restore = ({ id }: EffectView) =>
    harness.runtime.clientFor(ownerId).call("POST /api/effects/:id/restore", { params: { id } });
  /** The text of the draft. Its headers end with an empty line. */
  const text = async () => {
    const drafts = await harness.simulator.control.drafts(harness.owner);
    const raw = drafts.find((draft) => draft.draftId === draftId)?.raw ?? "";
    return Buffer.from(raw, "base64").toString().split("\r\n\r\n").slice(1).join("").trim();
  };
  const updates = () =>
    harness.simulator.record().calls.filter(({ method }) => method === update).length;

  it("X3 works once, however often it is asked for, and is in the audit log", async () => {
    const effect = await replace("new");
    const before = updates();
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => restore(effect)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await text()).toBe("old");
    expect(updates()).toBe(before + 1);
    await expect(restore(effect)).rejects.toMatchObject({
      code: "conflict",
      message: "The old version was already restored.",
    });
    const { audit } = await harness.runtime
      .clientFor(ownerId)
      .call("GET /api/audit", { query: { what: "effect.restored" } });
    expect(audit).toMatchObject([{ by: "owner", effectId: effect.id }]);
  }, 60_000);

  it("X3 is rejected after another change, and works backwards step by step", async () => {
    const first = await replace("new");
    const second = await replace("newer");
    await expect(restore(first)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("changed or deleted after Bron wrote it"),
    });
    expect(await text()).toBe("newer");
    await restore(second);
    expect(await text()).toBe("new");
    await restore(first);
    expect(await text()).toBe("old");
  }, 60_000);

  it("X2 is finished by a second request if the response of the first was lost", async () => {
    const effect = await replace("new");
    harness.simulator.faults.add({ method: update, kind: "cut", when: "after" });
    const before = updates();
    await expect(restore(effect)).rejects.toThrow();
    expect(await restore(effect)).toMatchObject({ restoredAt: expect.any(String) });
    expect(await text()).toBe("old");
    expect(updates()).toBe(before + 1);
  }, 60_000);

  it("X3 finds nothing to restore for a change that replaced nothing", async () => {
    const { runs } = await harness.runtime.clientFor(ownerId).call("GET /api/runs");
    const run = runs.find(({ title }) => title.startsWith("Create"));
    const { effects } = await harness.runtime
      .clientFor(ownerId)
      .call("GET /api/runs/:id/effects", { params: { id: run?.id ?? "" } });
    const [created] = effects;
    if (!created) throw new Error("No draft was created");
    await expect(restore(created)).rejects.toMatchObject({
      message: "This step replaced no text that can be restored.",
    });
  });

  const drafts = async () => {
    const client = harness.runtime.clientFor(ownerId);
    return (await client.call("GET /api/runs/:id/drafts", { params: { id: createdBy } })).drafts;
  };
  const pendingOf = (runId: string) =>
    harness.runtime.clientFor(ownerId).list("GET /api/approvals", { runId, pending: "true" });
  const written = { ...mail, cc: [], bodyText: expect.stringMatching(/^old\s*$/) as string };

  it("BR4 shows a draft as the mailbox has it", async () => {
    expect(await drafts()).toMatchObject([
      { ...written, draftId, state: "waiting", isEdited: false, messageId: expect.any(String) },
    ]);
    await replace("new");
    expect(await drafts()).toMatchObject([
      { ...written, bodyText: expect.stringMatching(/^new/), state: "waiting", isEdited: true },
    ]);
  }, 60_000);

  it("BR4 shows that a draft was sent, also if the owner edited it at the approval", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const { threadId } = await client.call("GET /api/runs/:id", { params: { id: createdBy } });
    const run = await client.call("POST /api/runs", {
      body: { prompt: "Send the draft", threadId },
    });
    await harness.waitUntilParked(run.id);
    const [pending] = await pendingOf(run.id);
    if (!pending) throw new Error("Nothing to edit");
    await client.call("POST /api/approvals/:id/edit", {
      params: { id: pending.id },
      body: { digest: pending.digest, changes: { subject: "Figures" } },
    });
    await harness.waitUntilParked(run.id);
    await harness.approve(run.id);
    await harness.waitUntilParked(run.id);
    expect(await drafts()).toMatchObject([{ state: "sent", subject: "Figures" }]);
  }, 60_000);

  it("BR4 deletes the draft of a denied email when the owner asks for it, and audits it", async () => {
    const run = await harness.runUntilParked("Send the draft");
    const [pending] = await pendingOf(run.id);
    await harness.runtime.clientFor(ownerId).call("POST /api/approvals/:id/deny", {
      params: { id: pending?.id ?? "" },
      body: { digest: pending?.digest ?? "" },
    });
    expect(await harness.waitUntilParked(run.id)).toMatchObject({ outcome: "denied" });
    const [draft] = await drafts();
    const client = harness.runtime.clientFor(ownerId);
    const discard = () =>
      client.call("POST /api/effects/:id/discard", { params: { id: draft?.effectId ?? "" } });
    expect(await discard()).toMatchObject({ ...written, state: "deleted" });
    expect(await harness.simulator.control.drafts(harness.owner)).not.toContainEqual(
      expect.objectContaining({ draftId }),
    );
    expect(await discard()).toMatchObject({ state: "deleted" });
    const { audit } = await client.call("GET /api/audit", { query: { what: "effect.discarded" } });
    expect(audit[0]).toMatchObject({ by: "owner", effectId: draft?.effectId });
    await expect(
      client.call("POST /api/effects/:id/discard", { params: { id: run.id } }),
    ).rejects.toMatchObject({ code: "not_found" });
  }, 60_000);
});
