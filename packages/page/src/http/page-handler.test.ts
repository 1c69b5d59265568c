import { scriptedLanguageModel, type Script } from "@bron/testing";
import { describe, expect, it } from "vitest";
import type { SiteAction } from "../actions/action-registry.ts";
import { parseActionFile } from "../actions/action-file.ts";
import type { PageSite } from "../site/page-site.ts";
import type { PageEvent, PageResponse } from "../wire.ts";
import { createPageHandler } from "./page-handler.ts";

const origin = "https://shop.example";
const clickThenSay: Script = ({ options }) =>
  options.prompt.at(-1)?.role === "user"
    ? { calls: [{ tool: "click-buy", input: { coordinate: "1" } }] }
    : { text: "Bought it." };

interface Harness {
  readonly send: (path: string, body: unknown, changes?: SendOptions) => Promise<Response>;
  readonly modelCalls: () => number;
  readonly clock: { at: number };
  readonly approve: (url: string, choice?: string, headers?: object) => Promise<Response>;
}

interface SendOptions {
  readonly headers?: Record<string, string>;
  readonly origin?: string;
  readonly method?: string;
}

async function openHarness(
  script: Script,
  site: Partial<PageSite> = {},
  prefix = "/page/shop",
): Promise<Harness> {
  const clock = { at: Date.parse("2026-11-20T10:00:00Z") };
  let modelCalls = 0;
  const model = scriptedLanguageModel((call) => {
    modelCalls++;
    return script(call);
  });
  const handler = await createPageHandler({
    secretKey: "a secret key of at least 32 characters",
    now: () => clock.at,
    findSite: async (name) =>
      name === "shop" || name === "other"
        ? {
            name,
            origins: [origin, "https://second.example"],
            isOn: true,
            model: { model, name: "scripted", maxOutputTokens: 100 },
            instruction: "",
            actions: [],
            caps: {},
            ...site,
          }
        : undefined,
  });
  let visitor: string | undefined;
  return {
    clock,
    modelCalls: () => modelCalls,
    async send(path, body, { headers = {}, origin: from = origin, method = "POST" } = {}) {
      const response = await handler(
        new Request(`https://bron.example${path.startsWith("/") ? path : `${prefix}/${path}`}`, {
          method,
          headers: {
            "x-bron-page": "1",
            origin: from,
            ...(visitor === undefined ? {} : { "x-bron-visitor": visitor }),
            ...headers,
          },
          ...(method === "POST"
            ? { body: typeof body === "string" ? body : JSON.stringify(body) }
            : {}),
        }),
      );
      visitor ??= response.headers.get("x-bron-visitor") ?? undefined;
      return response;
    },
    approve: async (url, choice = "approved", headers = { origin: "https://bron.example" }) =>
      await handler(
        new Request(url, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          body: `decision=${choice}`,
        }),
      ),
  };
}

const page = {
  history: [],
  toolDefinitions: [
    {
      name: "click-buy",
      description: "Clicks Buy.",
      inputSchema: { type: "object", properties: { coordinate: { type: "string" } } },
      category: "page-automation",
    },
  ],
  pageState: { url: `${origin}/`, title: "Shop", kind: "full", content: "Hats" },
};
const message = (text: string, more: object = {}) => ({ ...page, message: text, ...more });

async function body(response: Response): Promise<PageResponse> {
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as PageResponse;
}

function resultsOf(response: PageResponse, more: object = {}) {
  if (response.type !== "tool-calls") throw new Error(response.message);
  return {
    ...page,
    state: response.state,
    results: response.calls.map(({ id }) => ({ callId: id, result: '"ok"' })),
    ...more,
  };
}

describe("the page handler", () => {
  it("PA4 PA5 takes a message, asks for calls and answers with the visitor's own state", async () => {
    const { send } = await openHarness(clickThenSay);
    const asked = await body(await send("message", message("Buy the hat")));
    expect(asked).toMatchObject({
      type: "tool-calls",
      calls: [{ name: "click-buy" }],
      approvals: [],
    });
    const finished = await body(await send("results", resultsOf(asked)));
    expect(finished).toMatchObject({ type: "response", message: "Bought it.", outcome: "done" });
    expect(finished.history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Buy the hat"],
      ["assistant", "Bought it."],
    ]);
    const again = await body(
      await send("message", message("And another", { state: finished.state })),
    );
    expect(again.type).toBe("tool-calls");
  });

  it.each([
    ["application/x-ndjson", (text: string) => text.trim().split("\n")],
    [
      "text/event-stream",
      (text: string) =>
        text
          .trim()
          .split("\n\n")
          .map((line) => line.slice(6)),
    ],
  ])("PA4 streams %s with the names of AG-UI", async (accept, linesOf) => {
    const { send } = await openHarness(() => ({ text: "Hello there." }));
    const response = await send("message", message("Hi"), { headers: { accept } });
    expect(response.headers.get("content-type")).toBe(accept);
    const events = linesOf(await response.text()).map((line) => JSON.parse(line) as PageEvent);
    expect(events.map(({ type }) => type)).toEqual([
      "TEXT_MESSAGE_START",
      ...events.slice(1, -2).map(() => "TEXT_MESSAGE_CONTENT"),
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
    expect(events.at(-1)).toMatchObject({ result: { type: "response", message: "Hello there." } });
  });

  it("PA5 refuses a state that was changed, cut, swapped, used or has expired", async () => {
    const { send, modelCalls, clock } = await openHarness(clickThenSay);
    const asked = await body(await send("message", message("Buy the hat")));
    const refusalOf = async (state: string, path = "results", options: SendOptions = {}) => {
      const response = await send(path, resultsOf({ ...asked, state }), options);
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    const { state } = asked;
    const at = Math.floor(state.length / 2);
    const flipped = `${state.slice(0, at)}${state[at] === "A" ? "B" : "A"}${state.slice(at + 1)}`;
    expect(await refusalOf(flipped)).toEqual([400, "invalid_state"]);
    expect(await refusalOf(state.slice(0, -10))).toEqual([400, "invalid_state"]);
    expect(await refusalOf("1.AAAA.BBBB")).toEqual([400, "invalid_state"]);
    expect(await refusalOf("not a state")).toEqual([400, "invalid_state"]);
    expect(await refusalOf(state, "/page/other/results")).toEqual([400, "invalid_state"]);
    expect(await refusalOf(state, "results", { origin: "https://second.example" })).toEqual([
      400,
      "invalid_state",
    ]);
    expect(await refusalOf(state, "results", { headers: { "x-bron-visitor": "forged" } })).toEqual([
      400,
      "invalid_state",
    ]);
    clock.at += 3 * 3_600_000;
    expect(await refusalOf(state)).toEqual([410, "expired_state"]);
    clock.at -= 3 * 3_600_000;
    expect(modelCalls()).toBe(1);
    await body(await send("results", resultsOf(asked)));
    expect(await refusalOf(state)).toEqual([409, "used_state"]);
    expect(modelCalls()).toBe(2);
  });

  it("PA5 lets the page correct results that were refused", async () => {
    const { send } = await openHarness(clickThenSay);
    const asked = await body(await send("message", message("Buy the hat")));
    const wrong = await send("results", resultsOf(asked, { results: [] }));
    expect([wrong.status, await wrong.json()]).toMatchObject([409, { code: "unknown_call" }]);
    expect(await body(await send("results", resultsOf(asked)))).toMatchObject({ outcome: "done" });
  });

  it.each([
    ["another origin", {}, { origin: "https://evil.example" }, 403, "wrong_origin"],
    ["an origin that ends alike", {}, { origin: "https://xshop.example" }, 403, "wrong_origin"],
    ["the origin null", {}, { origin: "null" }, 403, "wrong_origin"],
    ["a site that is off", { isOn: false }, {}, 503, "site_off"],
  ])("PA11 refuses %s", async (_, site, options, status, code) => {
    const { send, modelCalls } = await openHarness(clickThenSay, site);
    const response = await send("message", message("Hi"), options);
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    expect(response.headers.get("access-control-allow-origin")).toBe(
      code === "wrong_origin" ? null : origin,
    );
    expect(modelCalls()).toBe(0);
  });

  it("PA11 answers preflights of the site's origins only, and never allows cookies", async () => {
    const { send } = await openHarness(clickThenSay);
    const allowed = await send("message", "", { method: "OPTIONS" });
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(origin);
    expect(allowed.headers.get("access-control-allow-credentials")).toBeNull();
    const refused = await send("message", "", {
      method: "OPTIONS",
      origin: "https://evil.example",
    });
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each([
    ["no JSON", "{"],
    ["no message", { ...page, message: " " }],
    [
      "a tool called like an action",
      message("Hi", { toolDefinitions: [{ ...page.toolDefinitions[0], name: "action_order" }] }),
    ],
    [
      "two tools of one name",
      message("Hi", { toolDefinitions: [...page.toolDefinitions, ...page.toolDefinitions] }),
    ],
    [
      "a page that is too long",
      message("Hi", { pageState: { ...page.pageState, content: "x".repeat(100_001) } }),
    ],
  ])("PA5 refuses %s before a model call", async (_, sent) => {
    const { send, modelCalls } = await openHarness(clickThenSay);
    const response = await send("message", sent);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "invalid_request" },
    ]);
    expect(modelCalls()).toBe(0);
  });

  it("PA11 limits the messages of a visitor, and what a site spends", async () => {
    const { send } = await openHarness(() => ({ text: "Hi." }), { caps: { messagesPerMinute: 2 } });
    const statuses: number[] = [];
    for (const text of ["1", "2", "3"])
      statuses.push((await send("message", message(text))).status);
    expect(statuses).toEqual([200, 200, 429]);
    const spent = await openHarness(() => ({ text: "Hi." }), { caps: { dayMicrousd: 0 } });
    const response = await spent.send("message", message("Hi"));
    expect([response.status, await response.json()]).toMatchObject([429, { code: "cap_reached" }]);
  });

  describe("an action that changes something on the server", () => {
    const openShop = async () => {
      const orders: unknown[] = [];
      const order: SiteAction = {
        name: "order",
        handler: (input) => {
          orders.push(input);
          return "ordered";
        },
        metadata: parseActionFile(
          "name: order\ndescription: Orders.\ninputSchema:\n  id: string\n",
          "f",
        ),
      };
      const harness = await openHarness(
        ({ turn }) =>
          turn === 0
            ? { calls: [{ tool: "action_order", input: { id: "<hat>" } }] }
            : { text: "Ordered." },
        { actions: [order] },
      );
      const asked = await body(await harness.send("message", message("Order the hat")));
      if (asked.type !== "tool-calls") throw new Error(asked.message);
      return { harness, orders, asked, url: asked.approvals[0]!.url };
    };

    it("PA10 runs once after the visitor approved it on the handler's own page", async () => {
      const { harness, orders, asked, url } = await openShop();
      const waiting = await body(await harness.send("results", resultsOf(asked)));
      expect(waiting).toMatchObject({
        type: "tool-calls",
        approvals: [{ preview: "order\nid: <hat>" }],
      });
      expect(orders).toEqual([]);
      expect((await harness.approve(url)).status).toBe(200);
      const done = await body(await harness.send("results", resultsOf(waiting)));
      expect(done).toMatchObject({ type: "response", outcome: "done" });
      expect(orders).toEqual([{ id: "<hat>" }]);
    });

    it("PA10 does not run after the visitor declined it", async () => {
      const { harness, orders, asked, url } = await openShop();
      await harness.approve(url, "denied");
      const done = await body(await harness.send("results", resultsOf(asked)));
      expect(done).toMatchObject({ type: "response", outcome: "denied" });
      expect(orders).toEqual([]);
    });

    it.each([
      ["the page itself", { origin }],
      ["no origin", {}],
      [
        "another site that forges the origin of a frame",
        { origin: "https://bron.example", "sec-fetch-site": "cross-site" },
      ],
    ])("PA10 takes no decision from %s", async (_, headers) => {
      const { harness, orders, asked, url } = await openShop();
      expect((await harness.approve(url, "approved", headers)).status).toBe(403);
      const waiting = await body(await harness.send("results", resultsOf(asked)));
      expect(waiting.type).toBe("tool-calls");
      expect(orders).toEqual([]);
    });

    it("PA10 is shown as text on a page that nothing can frame", async () => {
      const { harness, url } = await openShop();
      const shown = await harness.send(new URL(url).pathname + new URL(url).search, "", {
        method: "GET",
      });
      expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(shown.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(shown.headers.get("access-control-allow-origin")).toBeNull();
      const html = await shown.text();
      expect(html).toContain("id: &lt;hat&gt;");
      expect(html).not.toContain("<hat>");
    });
  });
});
