import { scriptedLanguageModel, type Script } from "@bron/testing";
import { describe, expect, it } from "vitest";
import type { SiteAction } from "../actions/action-registry.ts";
import { parseActionFile } from "../actions/action-file.ts";
import type { PageToolDefinition } from "../wire.ts";
import { advanceConversation } from "./exchange.ts";
import type { ExchangeOptions, ExchangeResult } from "./exchange-options.ts";

const click: PageToolDefinition = {
  name: "click-buy",
  description: "Clicks Buy.",
  inputSchema: { type: "object", properties: { coordinate: { type: "string" } } },
  category: "page-automation",
};

const action = (name: string, risk: string, handler: SiteAction["handler"]): SiteAction => ({
  name,
  handler,
  metadata: parseActionFile(
    `name: ${name}\ndescription: An action.\n${risk}inputSchema:\n  id?: string\n`,
    `${name}.jay-action`,
  ),
});

function optionsFor(script: Script, changes: Partial<ExchangeOptions> = {}): ExchangeOptions {
  return {
    site: {
      name: "shop",
      origins: ["https://shop.example"],
      isOn: true,
      model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 100 },
      instruction: "You help in a shop.",
      actions: [],
      caps: {},
    },
    visitor: "11111111-1111-4111-8111-111111111111",
    secretKey: "a secret key of the test",
    log: null,
    history: [],
    input: { kind: "message", text: "Buy the red one" },
    page: {
      url: "https://shop.example/",
      title: "Shop",
      kind: "full",
      content: { heading: "Hats" },
    },
    tools: [click],
    choiceFor: () => Promise.resolve(undefined),
    onText: () => undefined,
    signal: new AbortController().signal,
    ...changes,
  };
}

async function exchange(options: ExchangeOptions): Promise<ExchangeResult> {
  const result = await advanceConversation(options);
  if (!result.ok) throw new Error(result.why);
  return result;
}

const withActions = (
  options: ExchangeOptions,
  actions: readonly SiteAction[],
): ExchangeOptions => ({
  ...options,
  site: { ...options.site, actions },
});

describe("a turn of a page", () => {
  it("PA4 returns calls of the page, and continues with their results", async () => {
    const seen: unknown[] = [];
    const options = optionsFor(({ turn: step, options: { prompt } }) => {
      seen.push(prompt);
      return step === 0
        ? {
            calls: [
              { tool: "click-buy", input: { coordinate: "1/buy" } },
              { tool: "click-buy", input: { coordinate: "2/buy" } },
            ],
          }
        : { text: "Bought both." };
    });
    const first = await exchange(options);
    expect(first.calls).toMatchObject([
      { name: "click-buy", args: { coordinate: "1/buy" } },
      { name: "click-buy", args: { coordinate: "2/buy" } },
    ]);
    expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
    expect(JSON.stringify(seen[0])).toContain("Hats");
    const second = await exchange({
      ...options,
      log: first.log,
      page: { ...options.page, content: { heading: "Cart" } },
      input: {
        kind: "results",
        results: first.calls.map(({ id }) => ({ callId: id, result: '{"ok":true}' })),
      },
    });
    expect(second.run).toMatchObject({ status: "completed", outcome: "done" });
    expect(JSON.stringify(seen.at(-1))).toContain("Cart");
  });

  it("PA4 keeps the result of a server action beside calls of the page", async () => {
    let ran = 0;
    const prompts: string[] = [];
    const stock = action("stock.count", "risk: read\n", () => {
      ran++;
      return { left: 3 };
    });
    const options = withActions(
      optionsFor(({ turn: step, options: { prompt } }) => {
        prompts.push(JSON.stringify(prompt));
        return step === 0
          ? {
              calls: [
                { tool: "action_stock_count", input: {} },
                { tool: "click-buy", input: {} },
              ],
            }
          : { text: "Done." };
      }),
      [stock],
    );
    const first = await exchange(options);
    expect(first.calls).toHaveLength(1);
    await exchange({
      ...options,
      log: first.log,
      input: { kind: "results", results: [{ callId: first.calls[0]!.id, result: "true" }] },
    });
    expect(ran).toBe(1);
    expect(prompts.at(-1)).toContain('"left":3');
  });

  it.each([
    ["an unknown call", (id: string) => [{ callId: `${id}x`, result: "1" }]],
    [
      "two results for one call",
      (id: string) => [
        { callId: id, result: "1" },
        { callId: id, result: "2" },
      ],
    ],
    ["no result", () => []],
  ])("PA5 rejects %s without a model call", async (_, resultsFor) => {
    let modelCalls = 0;
    const options = optionsFor(({ turn: step }) => {
      modelCalls++;
      return step === 0 ? { calls: [{ tool: "click-buy", input: {} }] } : { text: "Done." };
    });
    const first = await exchange(options);
    const sent = await advanceConversation({
      ...options,
      log: first.log,
      input: { kind: "results", results: resultsFor(first.calls[0]!.id) },
    });
    expect(sent).toEqual({ ok: false, why: "unknown_call" });
    expect(modelCalls).toBe(1);
  });

  it("PA4 takes the result of a tool that the page no longer has, and the page as it is now", async () => {
    const prompts: string[] = [];
    const options = optionsFor(({ turn: step, options: { prompt } }) => {
      prompts.push(JSON.stringify(prompt));
      return step === 0 ? { calls: [{ tool: "click-buy", input: {} }] } : { text: "Went on." };
    });
    const first = await exchange(options);
    const second = await exchange({
      ...options,
      log: first.log,
      tools: [],
      page: { ...options.page, content: { heading: "Checkout" } },
      input: {
        kind: "results",
        results: [{ callId: first.calls[0]!.id, result: '"The page went away."', isError: true }],
      },
    });
    expect(second.run.status).toBe("completed");
    expect(prompts.at(-1)).toContain("Checkout");
    expect(prompts.at(-1)).toContain("The page went away.");
  });

  it("PA4 cancels open calls when the visitor writes something else", async () => {
    const options = optionsFor(({ turn: step }) =>
      step === 0 ? { calls: [{ tool: "click-buy", input: {} }] } : { text: "Never mind." },
    );
    const first = await exchange(options);
    const second = await exchange({
      ...options,
      log: first.log,
      input: { kind: "message", text: "Stop, show me shoes" },
    });
    expect(second.run.id).not.toBe(first.run.id);
    expect(second.log.earlier.map(({ content }) => content)).toContain("Buy the red one");
  });

  it("PA10 asks before a server action that changes something, and runs it once", async () => {
    const orders: string[] = [];
    const order = action("order", "", (input) => {
      orders.push(JSON.stringify(input));
      return "ordered";
    });
    const options = withActions(
      optionsFor(({ turn: step }) =>
        step === 0
          ? { calls: [{ tool: "action_order", input: { id: "hat" } }] }
          : { text: "Ordered." },
      ),
      [order],
    );
    const first = await exchange(options);
    expect(first.calls).toEqual([]);
    expect(first.approvals).toMatchObject([{ preview: "order\nid: hat" }]);
    const waiting = await exchange({
      ...options,
      log: first.log,
      input: { kind: "results", results: [] },
    });
    expect(waiting.approvals).toHaveLength(1);
    expect(orders).toEqual([]);
    const decided = await exchange({
      ...options,
      log: waiting.log,
      input: { kind: "results", results: [] },
      choiceFor: ({ digest }) =>
        Promise.resolve(digest === first.approvals[0]!.digest ? "approved" : undefined),
    });
    expect(decided.run.status).toBe("completed");
    expect(orders).toEqual(['{"id":"hat"}']);
  });

  it("PA11 has nothing of the owner, whatever tool the model names", async () => {
    const options = optionsFor(({ turn: step }) =>
      step === 0
        ? { calls: ["gmail_search", "spawn_bron", "ask_user"].map((tool) => ({ tool, input: {} })) }
        : { text: "I can't." },
    );
    const { run, log } = await exchange(options);
    const ends = log.events.flatMap(({ type, payload }) =>
      type === "tool" && payload.phase === "end" && payload.name !== "report_outcome"
        ? [payload.outcome]
        : [],
    );
    expect(ends).toEqual(["failed", "failed", "failed"]);
    expect(run.status).toBe("completed");
  });
});
