import { isFullSuite } from "@bron/testing";
import type { Script } from "@bron/demo-model";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";
import { killAtEach, pointsOf } from "./support/kill-at-each.ts";

const words = "the blue one";
const width = 3;
const leaseMs = 3_000;
/** Between two looks from outside. Most of them wait for a lease to expire. */
const lookMs = isFullSuite ? 10 : 100;

/**
 * Asks, lets a program fill in a form, reads, and counts how often it heard the words: an answer, a
 * message and a result.
 */
const script: Script = ({ contents }) => {
  // The results of the whole run, also of calls before the owner's message.
  const has = (name: string) =>
    contents.some(({ parts }) => parts?.some((part) => part.functionResponse?.name === name));
  if (!has("ask_user")) return { calls: [{ name: "ask_user", args: { question: "Which one?" } }] };
  if (!has("fill_form")) return { calls: [{ name: "fill_form", args: { text: "x" } }] };
  if (!has("read_fact")) return { calls: [{ name: "read_fact", args: { text: "x" } }] };
  return { text: `heard ${JSON.stringify(contents).split(words).length - 1} times` };
};

describe("a worker killed around the owner's words", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { script, leaseMs });
  });
  afterAll(async () => await harness.close());

  /** Also answers and speaks from outside, each twice, because the worker may be dead. */
  const speak = async (ownerId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    const filling = fillForm(ownerId);
    for (let isAnswered = false, isSaid = false; !isAnswered || !isSaid; await sleep(lookMs)) {
      const [run] = await client.list("GET /api/runs");
      if (!run) continue;
      const [question] = await client.list("GET /api/questions");
      if (question && !isAnswered) {
        const twice = await Promise.allSettled(
          [1, 2].map(() =>
            client.call("POST /api/questions/:id/answer", {
              params: { id: question.id },
              body: { typed: words },
            }),
          ),
        );
        expect(twice.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
        isAnswered = true;
      }
      if (!isSaid) {
        const message = {
          params: { id: run.id },
          body: { content: words },
          idempotencyKey: "words",
        };
        await Promise.all([1, 2].map(() => client.call("POST /api/runs/:id/messages", message)));
        isSaid = true;
      }
    }
    await filling;
  };

  /**
   * Carries the client action out as two tabs, each of which tries everything twice. The worker may
   * be a tab too.
   */
  const fillForm = async (ownerId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    for (; ; await sleep(lookMs)) {
      const [action] = await client.list("GET /api/client-actions");
      if (!action) continue;
      const params = { id: action.runId, actionId: action.id };
      const taken = await Promise.allSettled(
        ["tab 1", "tab 1", "tab 2", "tab 2"].map((idempotencyKey) =>
          client.call("POST /api/runs/:id/actions/:actionId/take", { params, idempotencyKey }),
        ),
      );
      const secrets = taken.flatMap((one) =>
        one.status === "fulfilled" ? [one.value.secret] : [],
      );
      expect(secrets.length).toBeLessThan(3);
      const finished = await Promise.allSettled(
        secrets.map((secret) =>
          client.call("POST /api/runs/:id/actions/:actionId/finish", {
            params,
            body: { secret, result: words },
          }),
        ),
      );
      expect(finished.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
      const [after] = await client.list("GET /api/client-actions");
      if (after?.state === "finished") return;
    }
  };

  const judge = async (ownerId: string) => {
    const [run] = await harness.runtime.clientFor(ownerId).list("GET /api/runs");
    if (!run) return "never created";
    const ended = await harness.until(
      ownerId,
      run.id,
      ({ status }) => status === "completed" || status === "failed",
      120_000,
    );
    return `${ended.status}: ${ended.summary}`;
  };

  it(
    "X2 hears each answer and each message once",
    async () => {
      const orders = { work: "own", leaseMs, say: words } as const;
      const first = await harness.start({
        ...orders,
        printHits: true,
        create: { ownerId: "baseline", prompt: "ask" },
      });
      await first.waitForLine("created");
      const done = "completed: heard 3 times";
      expect(await judge("baseline")).toBe(done);
      await first.kill();
      const passed = pointsOf(first);
      const chosen = isFullSuite
        ? passed
        : passed.filter(
            ({ point, occurrence }) =>
              occurrence === 1 &&
              /^append\(.*(?:question|client_action|;end).*\):after/.test(point),
          );
      for (const event of ["question", "client_action"])
        expect(chosen.some(({ point }) => point.includes(event))).toBe(true);
      await harness.start({ work: "sweep", leaseMs });
      const { failures } = await killAtEach(harness, chosen, {
        width,
        orders,
        prompt: "ask",
        act: speak,
        judge,
        done,
      });
      expect(failures).toBe("");
      console.log(`${chosen.length} kills around the owner's words`);
    },
    isFullSuite ? 1_200_000 : 300_000,
  );
});
