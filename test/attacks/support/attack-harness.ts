import { googleConnector, slackConnector, webFetchTool } from "@bron/connectors";
import type { SkillReader } from "@bron/core";
import { documentTools, readForModel } from "@bron/documents";
import {
  trustLevels,
  type ApprovalView,
  type RunEvent,
  type RunView,
  type TrustLevel,
} from "@bron/protocol";
import { scriptedLanguageModel, type Reader, type Script } from "@bron/testing";
import { startSimulator, type Simulator } from "@bron/simulator";
import { createRuntime, type Runtime } from "@bron/runtime";
import { submitConsentPage } from "../../mail/support/consent-page.ts";
import { createTestDatabase } from "../../support/test-database.ts";

/** The owner's trusted contacts. At the trust level "delegated", mail to them needs no approval. */
export const trustedContacts = ["jonas@lindqvist.example", "priya@lindqvist.example"];

/** How the person at the screen behaves. */
export const approvers = ["absent", "approves everything", "approves what is clean"] as const;
export type Approver = (typeof approvers)[number];

export interface AttackHarness {
  readonly runtime: Runtime;
  readonly simulator: Simulator;
  readonly owner: string;
  /**
   * Runs the task at this trust level, and waits until the run has ended or no one decides its
   * approvals.
   */
  perform(words: string, level: TrustLevel, approver: Approver): Promise<Performed>;
  close(): Promise<void>;
}

export interface Performed {
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly approvals: readonly ApprovalView[];
}

const redirectUri = "http://127.0.0.1:9/callback";

/**
 * Opens a runtime with one owner for each trust level. All of them use the same mailbox, calendar,
 * Slack and web.
 */
export async function openAttackHarness(
  serverUrl: string,
  script: Script,
  reader: Reader,
  skills?: SkillReader,
): Promise<AttackHarness> {
  const database = await createTestDatabase(serverUrl);
  const simulator = await startSimulator({ seed: 7 });
  const {
    authUrl: authorize,
    tokenUrl: token,
    revokeUrl: revoke,
    rootUrl,
  } = simulator.googleEndpoints;
  const runtime = await createRuntime({
    databaseUrl: database.url,
    secretKey: "a secret key of the attack lab, long enough",
    model: {
      model: scriptedLanguageModel(script, reader),
      name: "scripted",
      maxOutputTokens: 1_000,
    },
    tools: [
      ...documentTools(),
      webFetchTool({ read: readForModel, gateway: simulator.webGateway }),
    ],
    connectors: [
      googleConnector({
        times: { draftMs: 5_000, sendMs: 5_000, eventMs: 5_000, searchDelaysMs: [0, 50] },
        config: {
          clientId: simulator.clientId,
          clientSecret: simulator.clientSecret,
          endpoints: { authorize, token, revoke, rootUrl },
        },
      }),
      slackConnector({
        config: {
          botToken: simulator.slackBotToken,
          endpoints: {
            authorize: simulator.slackEndpoints.authorizeUrl,
            api: simulator.slackEndpoints.apiUrl,
          },
        },
      }),
    ],
    ...(skills ? { skills } : {}),
    caps: { modelTurns: 40, toolCalls: 100, toolCallsByGroup: { gmail: 80, web: 40 } },
  });
  for (const level of trustLevels) {
    const response = await submitConsentPage(
      (await runtime.connections.startSignIn(level, "google", redirectUri)).url,
    );
    await runtime.connections.finishSignIn("google", {
      state: response.searchParams.get("state") ?? "",
      code: response.searchParams.get("code") ?? "",
      redirectUri,
    });
    await runtime.clientFor(level).call("POST /api/permissions/trust", { body: { level } });
    for (const person of trustedContacts)
      await runtime
        .clientFor(level)
        .call("POST /api/permissions/allowed", { body: { value: person } });
  }
  const waitUntilParked = async (ownerId: string, runId: string) => {
    const client = runtime.clientFor(ownerId);
    for await (const _ of client.events(runId, {
      untilParked: true,
      // A run that reads several pages can take a minute on a busy machine.
      signal: AbortSignal.timeout(180_000),
    }));
    return await client.call("GET /api/runs/:id", { params: { id: runId } });
  };
  return {
    runtime,
    simulator,
    owner: simulator.accounts[0]?.address ?? "",
    async perform(words, level, approver) {
      const client = runtime.clientFor(level);
      let run = await waitUntilParked(
        level,
        (await client.call("POST /api/runs", { body: { prompt: words } })).id,
      );
      while (run.status === "awaiting_confirmation") {
        const pending = await client.list("GET /api/approvals", { runId: run.id, pending: "true" });
        const wanted =
          approver === "absent"
            ? []
            : pending.filter(
                ({ risks }) => approver === "approves everything" || risks.length === 0,
              );
        for (const { id, digest } of wanted)
          await client.call("POST /api/approvals/:id/approve", {
            params: { id },
            body: { digest },
          });
        // Everything that is not approved is denied, so that the run continues with its other
        // instructions.
        for (const { id, digest } of pending)
          if (!wanted.some((one) => one.id === id))
            await client.call("POST /api/approvals/:id/deny", { params: { id }, body: { digest } });
        run = await waitUntilParked(level, run.id);
      }
      return {
        run,
        events: (await runtime.logs.read(level, run.id, { afterSeq: 0, limit: 1_000 })).events,
        approvals: await client.list("GET /api/approvals", { runId: run.id }),
      };
    },
    async close() {
      await runtime.close();
      await simulator.close();
      await database.drop();
    },
  };
}
