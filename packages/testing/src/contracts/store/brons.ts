import { bronViewSchema } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

const nova = {
  name: "Nova",
  systemPrompt: "Be brief.",
  personaSource: "typed" as const,
  trustLevel: "delegated" as const,
};

export function testBrons({ claim, createRun, parkedRun, store }: StoreHarness): void {
  it("BR1 gives every owner a default Bron, which runs use unless they name another", async () => {
    const ownerId = freshOwner();
    const [first, ...others] = await store.brons.list(ownerId);
    expect(others).toEqual([]);
    expect(bronViewSchema.parse(first)).toMatchObject({
      name: "Assistant",
      isDefault: true,
      trustLevel: "supervised",
      status: "idle",
      latestRun: null,
      latestCard: null,
      pendingApprovals: 0,
    });
    expect((await createRun(ownerId)).bronId).toBe(first!.id);
    const id = await store.brons.create(ownerId, nova);
    const run = await createRun(ownerId, { input: { prompt: "x", bronId: id } });
    expect(run.bronId).toBe(id);
    await expect(
      createRun(ownerId, { input: { prompt: "x", bronId: first!.id, threadId: run.threadId } }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("BR1 creates Brons with different colors, and changes them", async () => {
    const ownerId = freshOwner();
    const ids = [await store.brons.create(ownerId, nova), await store.brons.create(ownerId, nova)];
    const all = await store.brons.list(ownerId);
    expect(all).toHaveLength(3);
    expect(new Set(all.map(({ avatarColor }) => avatarColor)).size).toBe(3);
    await store.brons.change(ownerId, ids[0]!, { name: "Ada", memorySummary: "Likes tea." });
    await store.brons.change(ownerId, ids[0]!, { name: "Ada" });
    expect(await store.brons.get(ownerId, ids[0]!)).toMatchObject({
      name: "Ada",
      systemPrompt: "Be brief.",
      memorySummary: "Likes tea.",
      trustLevel: "delegated",
      isDefault: false,
    });
    expect(await store.threads.profile(ownerId, ids[0]!)).toEqual({
      persona: "Be brief.",
      personaSource: "typed",
      aboutUser: "Likes tea.",
    });
    expect(await store.audit.list(ownerId, { what: "bron" })).toMatchObject([
      { what: "bron.changed", details: { bronId: ids[0], changed: ["name", "memorySummary"] } },
      { what: "bron.created", details: { bronId: ids[1], name: "Nova", trustLevel: "delegated" } },
      { what: "bron.created" },
    ]);
  });

  it("stores a Bron's tools and model, and gives them to a claim", async () => {
    const ownerId = freshOwner();
    const id = await store.brons.create(ownerId, nova);
    expect(await store.brons.get(ownerId, id)).toMatchObject({ tools: null, model: null });
    const claimNow = async () =>
      (await claim((await createRun(ownerId, { input: { prompt: "x", bronId: id } })).id)).run;
    expect(await claimNow()).toMatchObject({ bronId: id, bronTools: null, bronModel: null });
    const choice = { tools: ["clock", "notes_read"], model: "demo" };
    await store.brons.change(ownerId, id, choice);
    await store.brons.change(ownerId, id, choice);
    expect(await store.brons.get(ownerId, id)).toMatchObject(choice);
    expect(await claimNow()).toMatchObject({ bronTools: choice.tools, bronModel: "demo" });
    await store.brons.change(ownerId, id, { tools: [] });
    expect(await claimNow()).toMatchObject({ bronTools: [], bronModel: "demo" });
    await store.brons.change(ownerId, id, { tools: null, model: null });
    expect(await store.brons.get(ownerId, id)).toMatchObject({ tools: null, model: null });
    expect(
      (await store.audit.list(ownerId, { what: "bron.changed" })).map(({ details }) => details),
    ).toEqual([
      { bronId: id, changed: ["tools", "model"], tools: null, model: null },
      { bronId: id, changed: ["tools"], tools: [] },
      { bronId: id, changed: ["tools", "model"], ...choice },
    ]);
  });

  it("X3 keeps who wrote a persona, also in the archive, until the owner types it", async () => {
    const ownerId = freshOwner();
    const [first] = await store.brons.list(ownerId);
    expect(first).toMatchObject({ personaSource: "typed" });
    for (const personaSource of ["imported", "template"] as const) {
      const id = await store.brons.create(ownerId, { ...nova, personaSource });
      await store.brons.change(ownerId, id, { name: "Ada" });
      await store.brons.setArchived(ownerId, id, true);
      await store.brons.setArchived(ownerId, id, false);
      expect(bronViewSchema.parse(await store.brons.get(ownerId, id))).toMatchObject({
        personaSource,
      });
      expect(await store.threads.profile(ownerId, id)).toMatchObject({ personaSource });
      // The text stays the same.
      await store.brons.change(ownerId, id, {
        systemPrompt: nova.systemPrompt,
        personaSource: "typed",
      });
      expect(await store.threads.profile(ownerId, id)).toMatchObject({ personaSource: "typed" });
      const [changed] = await store.audit.list(ownerId, { what: "bron.changed" });
      expect(changed?.details).toEqual({ bronId: id, changed: ["personaSource"] });
    }
  });

  it("archives and restores a Bron, which takes no new tasks meanwhile", async () => {
    const ownerId = freshOwner();
    const id = await store.brons.create(ownerId, { ...nova, tools: ["clock"], model: "demo" });
    expect(await store.brons.get(ownerId, id)).toMatchObject({
      tools: ["clock"],
      model: "demo",
      archivedAt: null,
    });
    const run = await createRun(ownerId, { input: { prompt: "x", bronId: id } });
    await store.brons.setArchived(ownerId, id, true);
    await store.brons.setArchived(ownerId, id, true);
    expect(bronViewSchema.parse(await store.brons.get(ownerId, id)).archivedAt).not.toBeNull();
    expect((await store.brons.list(ownerId)).map((bron) => bron.id)).toContain(id);
    for (const input of [
      { prompt: "x", bronId: id },
      { prompt: "x", threadId: run.threadId },
    ])
      await expect(createRun(ownerId, { input })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("Nova is archived"),
      });
    const child = await createRun(ownerId, {
      input: { prompt: "x", threadId: run.threadId },
      parent: { runId: run.id, actionId: "a", maxChildren: 5, failureMode: "best_effort" },
    });
    expect(child.bronId).toBe(id);
    await store.brons.setArchived(ownerId, id, false);
    expect((await createRun(ownerId, { input: { prompt: "x", bronId: id } })).bronId).toBe(id);
    expect(await store.audit.list(ownerId, { what: "bron" })).toMatchObject([
      { what: "bron.restored", details: { bronId: id, name: "Nova" } },
      { what: "bron.archived" },
      { what: "bron.created" },
    ]);
  });

  it("refuses to archive the default Bron, and the Brons of another owner", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const [first] = await store.brons.list(ownerId);
    await expect(store.brons.setArchived(ownerId, first!.id, true)).rejects.toMatchObject({
      code: "conflict",
    });
    const id = await store.brons.create(ownerId, nova);
    for (const [caller, bronId] of [
      [other, id],
      [ownerId, randomUUID()],
      [ownerId, "nonsense"],
    ] as const)
      await expect(store.brons.setArchived(caller, bronId, true)).rejects.toMatchObject({
        code: "not_found",
      });
  });

  it("BR1 derives a Bron's status from the run that needs the owner, else from the latest", async () => {
    const { ownerId, run, lease } = await parkedRun();
    const later = await createRun(ownerId);
    const statusOf = async () => {
      const [bron] = await store.brons.list(ownerId);
      const { status, latestRun, pendingApprovals } = bron!;
      return { status, run: latestRun?.id, pendingApprovals };
    };
    expect(await statusOf()).toEqual({
      status: "needs_approval",
      run: run.id,
      pendingApprovals: 1,
    });
    const [approval] = await store.approvals.list(ownerId, {});
    await store.approvals.decide({
      ownerId,
      approvalId: approval!.id,
      digest: approval!.digest,
      approved: false,
    });
    const again = await claim(run.id, { worker: lease.worker });
    const ended = [{ type: "status" as const, payload: { status: "failed" as const } }];
    await store.log.append(appendOf(again.lease, again.lastSeq, ended, { release: "end" }));
    expect(await statusOf()).toEqual({ status: "running", run: later.id, pendingApprovals: 0 });
    const last = await claim(later.id);
    await store.log.append(
      appendOf(last.lease, last.lastSeq, [{ type: "status", payload: { status: "completed" } }], {
        release: "end",
      }),
    );
    expect(await statusOf()).toEqual({ status: "completed", run: later.id, pendingApprovals: 0 });
  });

  it("RT12 hides the Brons of another owner", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const id = await store.brons.create(ownerId, nova);
    expect(await store.brons.get(other, id)).toBeUndefined();
    expect(await store.threads.profile(other, id)).toBeUndefined();
    await expect(store.brons.change(other, id, { name: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(createRun(other, { input: { prompt: "x", bronId: id } })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await store.brons.get(ownerId, randomUUID())).toBeUndefined();
    expect(await store.brons.get(ownerId, "nonsense")).toBeUndefined();
  });
}
