import { googleConnector } from "@bron/connectors";
import { BronError, type ConnectorDeps } from "@bron/core";
import type { JsonValue } from "@bron/protocol";
import { startSimulator, type Simulator } from "@bron/simulator";
import { systemClock } from "@bron/runtime";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { submitConsentPage } from "../mail/support/consent-page.ts";
import { callerOf, type PreparedCall, type ToolCaller } from "./call-tool.ts";
import { memoryVault } from "./memory-vault.ts";

const ownerId = "contract";
const mail = { to: ["eva@elsewhere.example"], subject: "Numbers", bodyText: "Here they are." };
const noPauses = { ...systemClock, sleep: () => Promise.resolve() };

describe("a reconcile of an unclear send, interrupted right after it burned the draft", () => {
  let simulator: Simulator;
  let tools: ToolCaller;
  beforeEach(async () => {
    simulator = await startSimulator({ seed: 7 });
    const {
      authUrl: authorize,
      tokenUrl: token,
      revokeUrl: revoke,
      rootUrl,
    } = simulator.googleEndpoints;
    const deps: ConnectorDeps = {
      vault: memoryVault(),
      clock: noPauses,
      contacts: { find: () => Promise.resolve([]), remember: () => Promise.resolve() },
      peopleNamed: () => Promise.resolve([]),
      useOnce: () => Promise.resolve(true),
      sign: (purpose, text) =>
        createHmac("sha256", "contract").update(`${purpose} ${text}`).digest("base64url"),
    };
    const connector = googleConnector({
      config: {
        clientId: simulator.clientId,
        clientSecret: simulator.clientSecret,
        endpoints: { authorize, token, revoke, rootUrl },
      },
      times: { searchDelaysMs: [0, 0] },
    })(deps);
    const redirectUri = "http://127.0.0.1:9/callback";
    const response = await submitConsentPage(
      (await connector.startSignIn({ ownerId, redirectUri })).url,
    );
    await connector.finishSignIn({
      state: response.searchParams.get("state") ?? "",
      code: response.searchParams.get("code") ?? "",
      redirectUri,
    });
    tools = callerOf(connector, ownerId);
  });
  afterEach(async () => await simulator.close());

  const prepareSend = async (
    how: "with a draft that was shown" | "without one",
  ): Promise<PreparedCall> => {
    if (how === "without one") return await tools.prepare("gmail_send", mail);
    const { draftId } = await (await tools.prepare("gmail_draft_create", mail)).execute();
    return await tools.prepare("gmail_draft_send", { draftId });
  };
  const owner = () => simulator.accounts[0]?.address ?? "";
  const calls = (method: string) =>
    simulator.record().calls.filter((call) => call.method === method).length;

  /** Runs a reconcile that dies when it wants to store evidence for the n-th time. */
  const reconcileAndDie = async (
    call: PreparedCall,
    { diesAt, evidence }: { diesAt: number; evidence?: JsonValue },
  ) => {
    const kept: { evidence: JsonValue; deletions: number }[] = [];
    const keepEvidence = (found: JsonValue) => {
      if (kept.length + 1 === diesAt)
        return Promise.reject(new BronError("lease_lost", "The worker died"));
      kept.push({ evidence: found, deletions: calls("gmail.users.drafts.delete") });
      return Promise.resolve();
    };
    await expect(call.reconcile(1, { keepEvidence, evidence })).rejects.toThrow("The worker died");
    return kept;
  };

  it.each(["with a draft that was shown", "without one"] as const)(
    "X2 is known to the next reconcile, which proves that nothing was sent: %s",
    async (how) => {
      const call = await prepareSend(how);
      simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
      await expect(call.execute()).rejects.toThrow();
      const [first, ...more] = await reconcileAndDie(call, { diesAt: 2 });
      expect(first).toEqual({
        evidence: { handleSeenAt: expect.any(Number), isBurnt: false, searches: 0 },
        deletions: 0,
      });
      expect(more).toEqual([]);
      expect(calls("gmail.users.drafts.delete")).toBe(1);
      expect(await call.reconcile(1, { evidence: first?.evidence })).toEqual({ state: "not_done" });
      await call.execute(2);
      expect(simulator.record().sent).toHaveLength(1);
      expect(
        (await simulator.control.drafts(owner())).filter(({ subject }) => subject === "Numbers"),
      ).toEqual([]);
    },
  );

  it("X2 is continued by the next reconcile where it was interrupted", async () => {
    const call = await prepareSend("without one");
    simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    const kept = await reconcileAndDie(call, { diesAt: 4 });
    expect(kept.at(-1)?.evidence).toEqual({
      handleSeenAt: expect.any(Number),
      isBurnt: true,
      searches: 1,
    });
    const searched = calls("gmail.users.messages.list");
    expect(await call.reconcile(1, { evidence: kept.at(-1)?.evidence })).toEqual({
      state: "not_done",
    });
    // A search makes two queries, and one of two searches was left.
    expect(calls("gmail.users.messages.list") - searched).toBe(2);
  });

  it("X2 stays unknown if the draft disappeared between its two requests, not by its own deletion", async () => {
    const call = await prepareSend("with a draft that was shown");
    simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    const kept: JsonValue[] = [];
    const keepEvidence = async (evidence: JsonValue) => {
      kept.push(evidence);
      if (kept.length > 1) return;
      for (const { draftId } of await simulator.control.drafts(owner()))
        simulator.control.deleteDraft({ account: owner(), draftId });
    };
    expect(await call.reconcile(1, { keepEvidence })).toMatchObject({ state: "unknown" });
    expect(kept[1]).toEqual({ handleSeenAt: 0, isBurnt: false, searches: 0 });
  });

  it("X2 stays unknown if the next reconcile comes much later, because the owner may have sent or deleted the draft", async () => {
    const call = await prepareSend("with a draft that was shown");
    simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    await reconcileAndDie(call, { diesAt: 2 });
    expect(
      await call.reconcile(1, {
        evidence: { handleSeenAt: Date.now() - 11 * 60_000, isBurnt: false, searches: 0 },
      }),
    ).toMatchObject({ state: "unknown" });
  });

  it("X2 continues from its evidence if a request fails within one reconcile", async () => {
    const call = await prepareSend("without one");
    simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    let evidence: JsonValue | undefined;
    const keepEvidence = (found: JsonValue) => Promise.resolve(void (evidence = found));
    simulator.faults.add({ method: "gmail.users.drafts.delete", kind: "cut", when: "after" });
    await expect(call.reconcile(1, { keepEvidence })).rejects.toThrow();
    expect(await call.reconcile(1, { keepEvidence, evidence })).toEqual({ state: "not_done" });
  });

  it("X2 stays unknown without that evidence", async () => {
    const call = await prepareSend("without one");
    simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    await reconcileAndDie(call, { diesAt: 2 });
    expect(await call.reconcile(1)).toMatchObject({ state: "unknown" });
  });

  it("X2 stores no evidence when the draft was sent", async () => {
    const call = await prepareSend("with a draft that was shown");
    simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "after" });
    await expect(call.execute()).rejects.toThrow();
    const kept: JsonValue[] = [];
    const found = await call.reconcile(1, {
      keepEvidence: (evidence) => Promise.resolve(void kept.push(evidence)),
    });
    expect(found).toMatchObject({
      state: "done",
      output: { sentMessageId: simulator.record().sent[0]?.messageId },
    });
    expect(kept).toEqual([]);
  });
});
