import { googleConnector } from "@bron/connectors";
import { BronError, type ConnectorParts } from "@bron/core";
import type { JsonValue } from "@bron/protocol";
import { startWorld, type World } from "@bron/world";
import { systemClock } from "bron";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pressOnConsentPage } from "../mail/support/consent-page.ts";
import { callerOf, type PreparedCall, type ToolCaller } from "./call-tool.ts";
import { memoryVault } from "./memory-vault.ts";

const ownerId = "contract";
const mail = { to: ["eva@elsewhere.example"], subject: "Numbers", bodyText: "Here they are." };
const noPauses = { ...systemClock, sleep: () => Promise.resolve() };

describe("a look into an unclear send that is interrupted right after it burnt the draft", () => {
  let world: World;
  let tools: ToolCaller;
  beforeEach(async () => {
    world = await startWorld({ seed: 7 });
    const { authUrl: authorize, tokenUrl: token, revokeUrl: revoke, rootUrl } = world.googleEndpoints;
    const parts: ConnectorParts = {
      vault: memoryVault(),
      clock: noPauses,
      contacts: { find: () => Promise.resolve([]), remember: () => Promise.resolve() },
      useOnce: () => Promise.resolve(true),
      sign: (purpose, text) => createHmac("sha256", "contract").update(`${purpose} ${text}`).digest("base64url"),
    };
    const connector = googleConnector({ config: { clientId: world.clientId, clientSecret: world.clientSecret, endpoints: { authorize, token, revoke, rootUrl } }, times: { looksMs: [0] } })(parts);
    const redirectUri = "http://127.0.0.1:9/callback";
    const answer = await pressOnConsentPage((await connector.begin({ ownerId, redirectUri })).url);
    await connector.finish({ state: answer.searchParams.get("state") ?? "", code: answer.searchParams.get("code") ?? "", redirectUri });
    tools = callerOf(connector, ownerId);
  });
  afterEach(async () => await world.close());

  const prepareSend = async (how: "with a draft that was shown" | "without one"): Promise<PreparedCall> => {
    if (how === "without one") return await tools.prepare("gmail_send", mail);
    const { draftId } = await (await tools.prepare("gmail_draft_create", mail)).execute();
    return await tools.prepare("gmail_draft_send", { draftId });
  };
  const calls = (method: string) => world.record().calls.filter((call) => call.method === method).length;

  /** The first look: it burns the draft, and dies before it can say so. */
  const lookAndDie = async (call: PreparedCall) => {
    const evidence: { kept: JsonValue; deletedBefore: number }[] = [];
    // The look asks for sent mail right after it burnt the draft.
    for (let tries = 0; tries < 4; tries++) world.faults.add({ method: "gmail.users.messages.list", kind: "cut", when: "before" });
    const keepEvidence = (kept: JsonValue) => {
      evidence.push({ kept, deletedBefore: calls("gmail.users.drafts.delete") });
      return Promise.resolve();
    };
    await expect(call.reconcile(1, { keepEvidence })).rejects.toBeInstanceOf(BronError);
    expect(calls("gmail.users.drafts.delete")).toBe(1);
    return evidence;
  };

  it.each(["with a draft that was shown", "without one"] as const)("X2 is known to the next look, which proves that nothing was sent: %s", async (how) => {
    const call = await prepareSend(how);
    world.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    const evidence = await lookAndDie(call);
    expect(evidence).toEqual([{ kept: { handleWasThere: true }, deletedBefore: 0 }]);
    expect(await call.reconcile(1, { evidence: evidence[0]?.kept })).toEqual({ state: "not_done" });
    await call.execute(2);
    expect(world.record().sent).toHaveLength(1);
    expect((await world.control.drafts(world.accounts[0]?.address ?? "")).filter(({ subject }) => subject === "Numbers")).toEqual([]);
  });

  it("X2 stays in doubt without that evidence", async () => {
    const call = await prepareSend("without one");
    world.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "before" });
    await expect(call.execute()).rejects.toThrow();
    await lookAndDie(call);
    expect(await call.reconcile(1)).toMatchObject({ state: "unknown" });
  });

  it("X2 keeps no evidence when the draft had left", async () => {
    const call = await prepareSend("with a draft that was shown");
    world.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "after" });
    await expect(call.execute()).rejects.toThrow();
    const kept: JsonValue[] = [];
    const found = await call.reconcile(1, { keepEvidence: (evidence) => Promise.resolve(void kept.push(evidence)) });
    expect(found).toMatchObject({ state: "done", output: { sentMessageId: world.record().sent[0]?.messageId } });
    expect(kept).toEqual([]);
  });
});
