import { randomUUID } from "node:crypto";
import { memoryTerms, memoryWords, type NotedStatement } from "@bron/core";
import { expect, it } from "vitest";
import { freshOwner, type StoreHarness } from "./store-harness.ts";

export function testMemory({ store }: StoreHarness): void {
  // Looked up when it is used, because the store is opened before the tests.
  const memory = new Proxy({} as StoreHarness["store"]["memory"], {
    get: (_, name) => store.memory[name as keyof typeof store.memory],
  });

  const anOwner = async () => {
    const ownerId = freshOwner();
    const [bron] = await store.brons.list(ownerId);
    return { ownerId, bronId: bron?.id ?? "" };
  };
  const statement = (
    at: { readonly ownerId: string; readonly bronId: string },
    text: string,
    extra: Partial<NotedStatement> = {},
  ): NotedStatement => ({
    ...at,
    text,
    kind: "fact",
    state: "confirmed",
    source: { runId: randomUUID(), actionId: "a", origins: [], items: [] },
    label: null,
    isOwners: false,
    maxOfRun: 10,
    ...extra,
  });
  const suggested = {
    state: "suggested",
    label: { origin: "mail", trusted: false, private: true, readers: [] },
  } as const;
  const found = async (at: { ownerId: string; bronId: string }, question: string) =>
    (
      await memory.search(at.ownerId, {
        bronId: at.bronId,
        terms: memoryTerms(question),
        limit: 5,
      })
    ).map(({ entry }) => entry.text);
  const auditOf = async (ownerId: string) =>
    (await store.audit.list(ownerId, { what: "memory" })).map(({ what, details }) => ({
      what,
      details,
    }));

  it("RT9 keeps the same text once, with its first state and source", async () => {
    const at = await anOwner();
    const first = await memory.note(statement(at, "The user likes tea.", suggested));
    const again = await memory.note(statement(at, "the user  likes TEA", suggested));
    expect(first).toMatchObject({ isNew: true, entry: { state: "suggested", author: "bron" } });
    expect(again).toEqual({ ...(first as object), isNew: false });
    expect(await memory.list(at.ownerId, { limit: 10 })).toHaveLength(1);
    const raised = await memory.note(statement(at, "The user likes tea"));
    expect(raised).toMatchObject({ isNew: false, entry: { state: "confirmed" } });
    // A later suggestion does not take the confirmation away.
    const lower = await memory.note(statement(at, "The user likes tea", suggested));
    expect(lower).toMatchObject({ entry: { state: "confirmed" } });
  });

  it("RT9 takes at most ten new entries from a run", async () => {
    const at = await anOwner();
    const source = { runId: randomUUID(), actionId: "a", origins: [], items: [] };
    const noted = [];
    for (let index = 0; index < 12; index++)
      noted.push(await memory.note(statement(at, `Fact ${index}`, { source })));
    expect(noted.filter((one) => one === "limit")).toHaveLength(2);
    expect(await memory.note(statement(at, "Fact 3", { source }))).toMatchObject({ isNew: false });
    expect(await memory.note(statement(at, "Fact 99"))).toMatchObject({ isNew: true });
  });

  it("RT9 finds entries by any of their words, in any language, the best first", async () => {
    const at = await anOwner();
    for (const text of [
      "Ich trinke morgens grünen Tee.",
      "J'habite à Besançon depuis 2019.",
      "The user is allergic to peanuts.",
      "The dentist is Dr. Novak, on Fridays.",
      "我喜歡喝綠茶。",
      "Priya signs the invoices of Northwind.",
    ])
      await memory.note(statement(at, text));
    expect((await found(at, "What does the user drink in the morning? Tee?"))[0]).toContain("Tee");
    expect((await found(at, "Ou est-ce que j'habite ? besancon"))[0]).toContain("Besançon");
    expect((await found(at, "any allergy?"))[0]).toContain("peanuts");
    expect((await found(at, "Who signs invoices?"))[0]).toContain("Priya");
    expect((await found(at, "綠茶"))[0]).toContain("綠茶");
    expect(await found(at, "zeppelin")).toEqual([]);
    expect(await found(at, "?!")).toEqual([]);
    expect(await found(await anOwner(), "Tee")).toEqual([]);
  });

  it("RT9 puts confirmed entries first, and keeps the label of a suggestion", async () => {
    const at = await anOwner();
    await memory.note(statement(at, "Invoices go to Ada", suggested));
    await memory.note(statement(at, "Invoices go to Bob"));
    const results = await memory.search(at.ownerId, {
      bronId: at.bronId,
      terms: memoryTerms("invoices"),
      limit: 5,
    });
    expect(results.map(({ entry, label }) => [entry.text, label?.origin ?? null])).toEqual([
      ["Invoices go to Bob", null],
      ["Invoices go to Ada", "mail"],
    ]);
    expect(await memory.confirmed(at.ownerId, at.bronId, 10)).toEqual([
      { text: "Invoices go to Bob", kind: "fact" },
    ]);
  });

  it("RT9 shares with other Brons only what is for all of them", async () => {
    const at = await anOwner();
    const other = await store.brons.create(at.ownerId, {
      name: "Other",
      systemPrompt: "",
      personaSource: "typed",
      trustLevel: "supervised",
    });
    await memory.note(statement(at, "Only mine"));
    const shared = await memory.add(at.ownerId, { text: "For all", kind: "fact", bronId: null });
    const texts = async (bronId: string) =>
      (await memory.confirmed(at.ownerId, bronId, 10)).map(({ text }) => text).toSorted();
    expect(await texts(other)).toEqual(["For all"]);
    expect(await texts(at.bronId)).toEqual(["For all", "Only mine"]);
    await memory.change(at.ownerId, shared.id, { bronId: other });
    expect(await texts(at.bronId)).toEqual(["Only mine"]);
    expect(await found({ ...at, bronId: other }, "mine")).toEqual([]);
  });

  it("RT9 lists the newest first, in pages, by state, words and Bron", async () => {
    const at = await anOwner();
    const ids = [];
    for (const text of ["Red apple", "Green pear", "Red plum"])
      ids.push((await memory.add(at.ownerId, { text, kind: "fact", bronId: null })).id);
    await memory.note(statement(at, "Red cherry", suggested));
    const list = async (options: Partial<Parameters<typeof memory.list>[1]>) =>
      (await memory.list(at.ownerId, { limit: 10, ...options })).map(({ text }) => text);
    expect(await list({})).toEqual(["Red cherry", "Red plum", "Green pear", "Red apple"]);
    expect(await list({ state: "confirmed", limit: 2 })).toEqual(["Red plum", "Green pear"]);
    expect(await list({ state: "confirmed", before: ids[1] })).toEqual(["Red apple"]);
    expect(await list({ words: memoryWords("red pl") })).toEqual(["Red plum"]);
    expect(await list({ idPrefix: ids[0]?.slice(0, 8) })).toEqual(["Red apple"]);
    expect(await list({ bronId: at.bronId, state: "suggested" })).toEqual(["Red cherry"]);
    expect(await memory.list(freshOwner(), { limit: 10 })).toEqual([]);
  });

  it("RT9 lets only the owner confirm and correct, and writes the audit log without the text", async () => {
    const at = await anOwner();
    const noted = await memory.note(statement(at, "Pay to account 1", suggested));
    const { id } = (noted as { entry: { id: string } }).entry;
    // An edit raises nothing.
    const edited = await memory.change(at.ownerId, id, { text: "Pay to account 2" });
    expect(edited).toMatchObject({ state: "suggested", text: "Pay to account 2" });
    expect(
      (
        await memory.search(at.ownerId, { bronId: at.bronId, terms: memoryTerms("pay"), limit: 1 })
      )[0],
    ).toMatchObject({ label: { trusted: false, origin: "mail" } });
    expect(await memory.confirm(at.ownerId, id)).toMatchObject({ state: "confirmed" });
    await memory.confirm(at.ownerId, id);
    await memory.add(at.ownerId, { text: "Other", kind: "rule", bronId: at.bronId });
    await expect(memory.change(at.ownerId, id, { text: "other" })).rejects.toMatchObject({
      code: "conflict",
    });
    for (const call of [
      () => memory.confirm(freshOwner(), id),
      () => memory.change(freshOwner(), id, { text: "x" }),
      () => memory.forget(freshOwner(), id),
      () => memory.add(freshOwner(), { text: "x", kind: "fact", bronId: at.bronId }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "not_found" });
    const audit = await auditOf(at.ownerId);
    expect(audit.map(({ what }) => what).toReversed()).toEqual([
      "memory.changed",
      "memory.confirmed",
      "memory.added",
    ]);
    expect(JSON.stringify(audit)).not.toContain("account");
  });

  it("RT9 forgets the text, what finds it, and its sentences in the summaries", async () => {
    const at = await anOwner();
    const noted = await memory.note(statement(at, "The garage code is 4711."));
    const { id } = (noted as { entry: { id: string } }).entry;
    const summary = (text: string) =>
      store.brons.change(at.ownerId, at.bronId, { memorySummary: text });
    await summary("Likes tea. The code of the garage is 4711.");
    await summary("Likes tea. The code of the garage is 4711.\nWorks at Northwind.");
    const forgotten = await memory.forget(at.ownerId, id);
    expect(forgotten).toMatchObject({ id, state: "forgotten", text: "", source: null });
    const bron = await store.brons.get(at.ownerId, at.bronId);
    expect(bron).toMatchObject({
      memorySummary: "Likes tea. Works at Northwind.",
      memoryBefore: "Likes tea.",
    });
    expect(await found(at, "garage code")).toEqual([]);
    expect(await memory.list(at.ownerId, { limit: 10 })).toEqual([]);
    expect(await memory.list(at.ownerId, { limit: 10, state: "forgotten" })).toHaveLength(1);
    // A Bron does not bring it back, unless the owner says it again.
    expect(await memory.note(statement(at, "the garage code is 4711"))).toBe("forgotten");
    expect(
      await memory.note(statement(at, "the garage code is 4711", { isOwners: true })),
    ).toMatchObject({ isNew: false, entry: { id, state: "confirmed" } });
    expect(await found(at, "garage")).toHaveLength(1);
  });

  it("BR15 undoes the last change of a summary once", async () => {
    const at = await anOwner();
    const undo = () => store.brons.undoSummary(at.ownerId, at.bronId);
    await expect(undo()).rejects.toMatchObject({ code: "conflict" });
    await store.brons.change(at.ownerId, at.bronId, { memorySummary: "One." });
    await store.brons.change(at.ownerId, at.bronId, { memorySummary: "Two." });
    await undo();
    expect(await store.brons.get(at.ownerId, at.bronId)).toMatchObject({
      memorySummary: "One.",
      memoryBefore: null,
    });
    await expect(undo()).rejects.toMatchObject({ code: "conflict" });
    await expect(store.brons.undoSummary(freshOwner(), at.bronId)).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await auditOf(at.ownerId)).map(({ what }) => what)).toEqual(["memory.summary_undone"]);
  });
}
