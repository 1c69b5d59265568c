import { randomUUID } from "node:crypto";
import { maxSearchedRows, type NewAudit, type Store } from "@bron/core";
import { omitUndefined, type EventPayloads, type NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

type Options = Parameters<Store["audit"]["activity"]>[1];

export function testActivity({ claim, parkedRun, store }: StoreHarness): void {
  const idsOf = async (ownerId: string, options: Options = {}) =>
    (await store.audit.activity(ownerId, options)).activity.map(({ id }) => id);
  const whatsOf = async (ownerId: string, options: Options = {}) =>
    (await store.audit.activity(ownerId, options)).activity.map(({ entries }) =>
      entries.map(({ what }) => what),
    );
  const write = async (ownerId: string, ...entries: NewAudit[]) => {
    for (const entry of entries) await store.audit.write(ownerId, entry);
  };
  /** A parked run whose effect the owner edited, so that its action has a second effect. */
  const editedRun = async (ownerId: string, to: string, text: string) => {
    const { run, actionId, effectId, approvalId, digest } = await parkedRun(ownerId);
    await store.approvals.edit({ ownerId, approvalId, digest, changes: { to } });
    const { lease, lastSeq } = await claim(run.id);
    const effect = (payload: Partial<EventPayloads["effect"]>): NewEvent => ({
      type: "effect",
      payload: {
        effectId,
        actionId,
        tool: "post",
        digest,
        ...payload,
      } as EventPayloads["effect"],
    });
    const prepared = { account: "mara@nord.example", to: [to], subject: "Crates", body: { text } };
    await store.log.append(
      appendOf(lease, lastSeq, [
        effect({ state: "superseded" }),
        effect({ effectId: randomUUID(), state: "proposed", prepared }),
      ]),
    );
    return run;
  };

  it("BR25 lists an action once with all its entries, by the newest of them", async () => {
    const ownerId = freshOwner();
    const { run, approvalId, digest, actionId } = await parkedRun(ownerId);
    await write(ownerId, { what: "rule.added", by: "owner" });
    await write(freshOwner(), { what: "rule.added", by: "owner" });
    expect(await whatsOf(ownerId)).toEqual([
      ["rule.added"],
      ["effect.awaiting_confirmation", "approval.requested"],
    ]);
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { activity, next } = await store.audit.activity(ownerId, {});
    expect(next).toBeNull();
    expect(activity.map(({ task }) => task)).toEqual([
      { title: run.title, bronName: expect.any(String) },
      null,
    ]);
    const [action] = activity;
    expect(action!.entries.map(({ what }) => what)).toEqual([
      "effect.awaiting_confirmation",
      "approval.requested",
      "approval.approved",
    ]);
    expect(action).toMatchObject({ id: action!.entries[2]!.id, at: action!.entries[2]!.at });
    expect(new Set(action!.entries.map((entry) => entry.actionId))).toEqual(new Set([actionId]));
  });

  it("BR25 keeps an action on one page of the activity, however its entries lie", async () => {
    const ownerId = freshOwner();
    const runId = randomUUID();
    const [first, second] = [randomUUID(), randomUUID()];
    const of = (actionId: string, what: NewAudit["what"]): NewAudit => ({
      what,
      by: "bron",
      runId,
      actionId,
      effectId: actionId,
      tool: "post",
    });
    await write(
      ownerId,
      of(first, "effect.proposed"),
      of(second, "effect.proposed"),
      { what: "bron.created", by: "owner" },
      of(first, "effect.done"),
      { what: "rule.added", by: "owner" },
      of(second, "effect.done"),
    );
    const all = await idsOf(ownerId);
    const pages: number[][] = [];
    for (let before: number | null | undefined; before !== null;) {
      const { activity, next } = await store.audit.activity(ownerId, {
        limit: 2,
        ...omitUndefined({ before }),
      });
      pages.push(activity.map(({ id }) => id));
      before = next;
    }
    expect(pages).toEqual([all.slice(0, 2), all.slice(2), []]);
    expect(await whatsOf(ownerId)).toEqual([
      ["effect.proposed", "effect.done"],
      ["rule.added"],
      ["effect.proposed", "effect.done"],
      ["bron.created"],
    ]);
    expect(await whatsOf(ownerId, { kind: "actions" })).toHaveLength(2);
    expect(await whatsOf(ownerId, { kind: "email" })).toEqual([]);
    expect(await whatsOf(ownerId, { kind: "permissions" })).toEqual([["rule.added"]]);
    expect(await whatsOf(ownerId, { runId })).toHaveLength(2);
    expect(await whatsOf(ownerId, { runId: "no id" })).toEqual([]);
  });

  it("BR25 finds an action by the recipients and the text of its newest form", async () => {
    const ownerId = freshOwner();
    await editedRun(ownerId, "Jonas@Lindqvist.example", "The crane arrives on Müller's pier");
    await write(
      ownerId,
      { what: "allowed.added", by: "owner", details: { value: "lindqvist.example" } },
      { what: "token.created", by: "owner", details: { name: "Laptop" } },
    );
    const found = async (search: string) =>
      (await whatsOf(ownerId, { search })).map((whats) => whats.at(-1));
    expect(await found("lindqvist")).toEqual(["allowed.added", "effect.proposed"]);
    expect(await found("JONAS@lindqvist crane")).toEqual(["effect.proposed"]);
    expect(await found("crates")).toEqual(["effect.proposed"]);
    expect(await found("mÜLLER")).toEqual(["effect.proposed"]);
    expect(await found("laptop")).toEqual(["token.created"]);
    expect(await found("  ")).toHaveLength(3);
    // The account is in every form, and the edited form is not what was sent.
    expect(await found("mara@nord.example")).toEqual([]);
    expect(await found("hi")).toEqual([]);
    expect(await found("100%_\\")).toEqual([]);
    expect(await found("lap\u0000\ud800top")).toEqual([]);
    expect(await idsOf(freshOwner(), { search: "lindqvist" })).toEqual([]);
  });

  it("BR25 finds recipients and subject of an action whose conversation was deleted", async () => {
    const ownerId = freshOwner();
    const [runId, actionId] = [randomUUID(), randomUUID()];
    await write(ownerId, {
      what: "effect.done",
      by: "bron",
      runId,
      actionId,
      effectId: actionId,
      tool: "gmail_send",
      details: { to: ["eva@x.example"], subject: "Crates", account: "mara@nord.example" },
    });
    const { activity } = await store.audit.activity(ownerId, {
      search: "eva@x crates",
      kind: "email",
    });
    expect(activity).toMatchObject([{ task: null }]);
    expect(await idsOf(ownerId, { search: "mara" })).toEqual([]);
  });

  it("continues a search after the rows that it looks through at once", async () => {
    const ownerId = freshOwner();
    await write(ownerId, { what: "token.created", by: "owner", details: { name: "Oldest" } });
    await Promise.all(
      Array.from({ length: maxSearchedRows }, () =>
        store.audit.write(ownerId, { what: "trust.changed", by: "owner" }),
      ),
    );
    const first = await store.audit.activity(ownerId, { search: "oldest" });
    expect(first.activity).toEqual([]);
    expect(first.next).not.toBeNull();
    const { activity, next } = await store.audit.activity(ownerId, {
      search: "oldest",
      before: first.next ?? 0,
    });
    expect(activity.map(({ entries }) => entries[0]!.what)).toEqual(["token.created"]);
    expect(next).toBeNull();
  });
}
