// A server and two workers under random faults, with mail tasks that a person decides over HTTP.
// The simulated Google runs in this process, which is never killed, so its record says what was
// really sent. BRON_KILL_SECONDS, BRON_KILL_TASKS and BRON_TEST_SEED change the run.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { googleConnector, type GoogleConnectorOptions } from "@bron/connectors";
import { isTerminal, type RunEvent, type RunView } from "@bron/protocol";
import { openEmbeddedPostgres, setUpDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { startSimulator } from "@bron/simulator";
import { createRuntime } from "@bron/runtime";
import { describe, expect, it } from "vitest";
import { submitConsentPage } from "../mail/support/consent-page.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { injectFaults } from "./support/faults.ts";
import { createOwnerClient } from "./support/owner-client.ts";
import { supervise } from "./support/supervise.ts";

const ownerId = "local";
const secretKey = "a secret key of the kill run, long enough";
const faultMs = Number(process.env["BRON_KILL_SECONDS"] ?? 600) * 1_000;
const taskCount = Number(process.env["BRON_KILL_TASKS"] ?? 100);
const random = seededRandom();

type Verdict = "approve" | "deny" | "leave";
/** Most mails are approved, some are denied, and some are never decided. */
const verdictOf = (index: number): Verdict =>
  index % 10 === 3 ? "deny" : index % 10 === 7 ? "leave" : "approve";
const subjectOf = (index: number) => `Numbers ${index}`;

describe("a server and two workers under random faults", () => {
  it(
    "X2 BR5 send every approved mail once, no other mail, and never claim what they did not do",
    async () => {
      const home = await mkdtemp(join(tmpdir(), "bron-kill-run-"));
      await chmod(home, 0o711);
      const postgres = await openEmbeddedPostgres({ home });
      // Bron connects as a role that is not a superuser, so reserved connections cannot help it.
      await setUpDatabase({ url: postgres.url, adminUrl: postgres.adminUrl });
      const simulator = await startSimulator({ seed: 7 });
      const {
        authUrl: authorize,
        tokenUrl: token,
        revokeUrl: revoke,
        rootUrl,
      } = simulator.googleEndpoints;
      const google: GoogleConnectorOptions = {
        config: {
          clientId: simulator.clientId,
          clientSecret: simulator.clientSecret,
          endpoints: { authorize, token, revoke, rootUrl },
        },
      };
      const model = {
        model: scriptedLanguageModel(() => ({ text: "never asked" })),
        name: "scripted",
        maxOutputTokens: 1_000,
      };
      const runtime = await createRuntime({
        databaseUrl: postgres.url,
        secretKey,
        model,
        connectors: [googleConnector(google)],
        work: "none",
      });
      const redirectUri = "http://127.0.0.1:9/callback";
      const consent = await submitConsentPage(
        (await runtime.connections.startSignIn(ownerId, "google", redirectUri)).url,
      );
      await runtime.connections.finishSignIn("google", {
        state: consent.searchParams.get("state") ?? "",
        code: consent.searchParams.get("code") ?? "",
        redirectUri,
      });

      const port = await freePort();
      const orders = { databaseUrl: postgres.url, secretKey, google };
      const server = supervise({ ...orders, serve: { ownerId, port } });
      const processes = [server, supervise(orders), supervise(orders)];
      try {
        const client = createOwnerClient(server, `http://127.0.0.1:${port}`);
        await server.signInLink();
        const indexes = new Map<string, number>();
        const approved = new Set<string>();
        const creating = (async () => {
          for (let index = 0; index < taskCount; index++) {
            indexes.set(await client.create(subjectOf(index)), index);
            await sleep((faultMs * 0.9) / taskCount);
          }
        })();
        let isFinished = false;
        const decideAll = async () => {
          while (!isFinished) {
            for (const approval of await client.pending()) {
              const verdict = verdictOf(indexes.get(approval.runId) ?? 7);
              if (verdict === "leave") continue;
              if ((await client.decide(approval, verdict)) && verdict === "approve")
                approved.add(approval.runId);
            }
            await sleep(300);
          }
        };
        const deciding = decideAll();
        // Awaited below. Until then, a failure must not end the process.
        deciding.catch(() => undefined);
        const [faults] = await Promise.all([
          injectFaults(faultMs, { processes, postgres, random }),
          creating,
        ]);
        const decided = [...indexes]
          .filter(([, index]) => verdictOf(index) !== "leave")
          .map(([runId]) => runId);
        const endedRunIds = async () =>
          new Set(
            (await client.runs()).filter(({ status }) => isTerminal(status)).map(({ id }) => id),
          );
        const settledBy = Date.now() + 300_000;
        for (
          let ended = await endedRunIds();
          decided.some((id) => !ended.has(id)) && Date.now() < settledBy;
          ended = await endedRunIds()
        )
          await sleep(1_000);
        isFinished = true;
        await deciding;

        const runs = new Map((await client.runs()).map((run) => [run.id, run]));
        const cases = await Promise.all(
          [...indexes].map(async ([id, index]): Promise<KillCase> => {
            const run = runs.get(id);
            if (!run) throw new Error(`Run ${id} is gone`);
            const { events } = await runtime.logs.read(ownerId, id, {
              afterSeq: 0,
              limit: 1_000,
            });
            return {
              index,
              verdict: verdictOf(index),
              run,
              events,
              isApproved:
                approved.has(id) ||
                events.some(
                  (event) => event.type === "approval" && event.payload.state === "approved",
                ),
              sent: simulator.record().sent.filter(({ subject }) => subject === subjectOf(index))
                .length,
            };
          }),
        );
        const result = judge(cases);
        console.log(
          JSON.stringify({
            seconds: faultMs / 1_000,
            tasks: taskCount,
            faults,
            starts: processes.map(({ starts }) => starts),
            ...result.counts,
          }),
        );
        if (result.doubts.length > 0) console.log(result.doubts.join("\n"));
        expect(result.wrong).toEqual([]);
        expect(client.defects).toEqual([]);
        // A tool may give up after its three attempts, but this is rare.
        expect(
          result.counts.failed + result.counts.neverAsked,
          result.doubts.join("\n"),
        ).toBeLessThanOrEqual(Math.ceil(taskCount * 0.03));
        expect(result.counts.unknown, result.doubts.join("\n")).toBeLessThanOrEqual(
          Math.floor(result.counts.approved * 0.02),
        );
      } finally {
        await Promise.all(processes.map((one) => one.stop()));
        await runtime.close();
        await simulator.close();
        await postgres.close();
        await rm(home, { recursive: true, force: true });
      }
    },
    faultMs + 900_000,
  );
});

interface KillCase {
  readonly index: number;
  readonly verdict: Verdict;
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly isApproved: boolean;
  readonly sent: number;
}

/** Returns every error of each case with its log, and how the cases ended. */
function judge(cases: readonly KillCase[]) {
  const isUnknown = ({ events }: KillCase) =>
    events.some((event) => event.type === "effect" && event.payload.state === "unknown");
  const saysDone = ({ run }: KillCase) => run.status === "completed" && run.notDone === 0;
  const faultOf = (one: KillCase): string | undefined => {
    if (one.sent > 1) return `sent ${one.sent} times`;
    if (one.sent === 1 && !one.isApproved) return "sent without an approval";
    if (one.verdict === "leave")
      return isTerminal(one.run.status) && saysDone(one)
        ? "ended as done without a decision"
        : undefined;
    if (!isTerminal(one.run.status)) return `still ${one.run.status}`;
    if (saysDone(one) && one.sent === 0) return "says done, and nothing was sent";
    if (
      one.isApproved &&
      one.sent === 0 &&
      !isUnknown(one) &&
      one.run.notDone === 0 &&
      one.run.status === "completed"
    )
      return "approved, and lost in silence";
    return undefined;
  };
  const wrong = cases.flatMap((one) => {
    const fault = faultOf(one);
    return fault === undefined ? [] : [logOf(one, fault)];
  });
  const approved = cases.filter(({ isApproved }) => isApproved);
  return {
    wrong,
    /** Approved, but not known to be sent. */
    doubts: approved
      .filter((one) => isUnknown(one) || one.sent === 0)
      .map((one) => logOf(one, `sent ${one.sent} times`)),
    counts: {
      approved: approved.length,
      sent: cases.filter(({ sent }) => sent > 0).length,
      unknown: approved.filter(isUnknown).length,
      failed: approved.filter((one) => one.sent === 0 && !isUnknown(one)).length,
      neverAsked: cases.filter(
        ({ events, verdict }) =>
          verdict !== "leave" && !events.some(({ type }) => type === "approval"),
      ).length,
    },
  };
}

function logOf({ index, events }: KillCase, title: string): string {
  const lines = events.map(
    ({ seq, type, payload, createdAt }) =>
      `  ${createdAt.slice(11, 23)} ${seq} ${type} ${JSON.stringify(payload).slice(0, 300)}`,
  );
  return [`${subjectOf(index)}: ${title}`, ...lines].join("\n");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
