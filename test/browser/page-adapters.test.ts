import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  approvalBox,
  approveStep,
  openSite,
  pageWith,
  resultsOf,
  say,
  untilAnswer,
  viewOf,
} from "./support/page/chat-page.ts";
import { startFakeHandler } from "./support/page/fake-handler.ts";
import { connectToBrowser } from "./support/start-for-file.ts";
import { violationsOn } from "./support/violations.ts";

const handler = await startFakeHandler();
const other = await startFakeHandler();
const browser = await connectToBrowser();

afterEach(() => {
  expect(handler.violations).toEqual([]);
  handler.clear();
});
afterAll(async () => {
  await browser.close();
  await handler.close();
  await other.close();
});

const servePage = (body: string, attributes = "data-open") =>
  handler.pages.set("*", { html: pageWith(body, attributes) });
const call = (name: string, args = {}) => ({ calls: [{ name, args }] });

/** `document.modelContext` as the draft of 2026 describes it. */
const modelContext = `<script>
  const tools = new Map(); window.published = tools;
  const own = { name: "find-order", description: "Finds an order", inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] }, annotations: { readOnlyHint: true } };
  const risky = { name: "refund", description: "Refunds an order", inputSchema: { type: "object", properties: {} }, annotations: { consequentialHint: true } };
  Object.defineProperty(document, "modelContext", { value: {
    registerTool(tool, { signal }) { tools.set(tool.name, tool); signal.addEventListener("abort", () => tools.delete(tool.name)); return Promise.resolve(); },
    getTools: async () => [own, risky, ...tools.values()],
    executeTool: async (tool, input) => { if (typeof input === "string") throw new TypeError("object"); window.ran = tool.name; return JSON.stringify({ found: input.id ?? null }); },
  } });
</script>`;

describe("PA9 WebMCP", () => {
  it("takes tools from the browser, asks for consequential ones, and publishes ours", async () => {
    servePage(
      `${modelContext}<h1>Orders</h1><button type="button" onclick="document.title='Deleted'">Delete it</button>`,
    );
    const page = await openSite(browser, handler);
    handler.replyWith(
      call("find-order", { id: "7" }),
      call("find-order", {}),
      call("refund"),
      "Found.",
    );
    await say(page, "Find order 7");
    await approveStep(page);
    await untilAnswer(page, "Found.");
    const names = handler.inputs[0]?.toolDefinitions.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name === "page_read")).toHaveLength(1);
    expect(JSON.stringify(resultsOf(handler.inputs[1]))).toContain('\\"found\\":\\"7\\"');
    expect(resultsOf(handler.inputs[2])[0]?.error).toBe('args lacks "id".');
    expect(
      await page.evaluate(() => [
        ...(window as unknown as { published: Map<string, object> }).published.keys(),
      ]),
    ).toEqual(["page_read", "trigger-interaction", "fill-input"]);
    // A call of the browser's own agent is asked about as well.
    const id = await page.evaluate(async () => {
      const { published } = window as unknown as {
        published: Map<
          string,
          { execute(input: object): Promise<{ content: { text: string }[] }> }
        >;
      };
      const read = await published.get("page_read")?.execute({ query: "Delete it" });
      return /\[(e\d+)\]/.exec(read?.content[0]?.text ?? "")?.[1];
    });
    await page.evaluate((element) => {
      const { published } = window as unknown as {
        published: Map<string, { execute(input: object): Promise<object> }>;
      };
      void published.get("trigger-interaction")?.execute({ element });
    }, id);
    await approvalBox(page).waitFor();
    expect(await page.title()).toBe("Test page");
  });

  it("offers forms that are declared as tools where the browser has no WebMCP", async () => {
    servePage(`<form toolname="book-table" tooldescription="Books a table" toolautosubmit onsubmit="event.preventDefault(); document.title = new URLSearchParams(new FormData(this))">
      <label>Guests <input name="guests" required></label><label>Time <select name="time"><option value="18">18:00</option><option value="20">20:00</option></select></label>
      <label>PIN <input name="pin"></label></form>`);
    const page = await openSite(browser, handler);
    handler.replyWith(call("book-table", { guests: "4", time: "20" }), "Booked.");
    await say(page, "Book for four at eight");
    await approveStep(page);
    await untilAnswer(page, "Booked.");
    expect(await page.title()).toBe("guests=4&time=20&pin=");
    const tool = handler.inputs[0]?.toolDefinitions.find(({ name }) => name === "book-table");
    expect(tool?.inputSchema).toMatchObject({
      required: ["guests"],
      properties: { time: { enum: ["18", "20"] } },
    });
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(["guests", "time"]);
  });
});

const jayPage = `<ul><li>Lamp <button type="button" id="a">Add</button></li><li>Mug <button type="button" id="b">Add</button></li></ul>
  <input id="q" aria-label="Find"><input type="password" id="p" value="jay-password">
  <script>
    const one = (coordinate, element) => ({ coordinate, element, events: ["click"] });
    a.onclick = () => document.title = "Added lamp"; b.onclick = () => document.title = "Added mug";
    const interactions = [
      { refName: "addToCart", items: [one(["lamp", "addToCart"], a), one(["mug", "addToCart"], b)] },
      { refName: "search", items: [one(["search"], q)], description: "Searches" },
      { refName: "secret", items: [one(["secret"], p)] },
      { refName: "ar0", items: [{ coordinate: ["ar0"], element: { refs: {} }, events: [] }] },
    ];
    window.__jay = { automation: { getPageState: () => ({ viewState: { items: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }], chat: { messages: [], isExpanded: true, lastAssistantMessage: "secret words of the chat" } }, interactions, customEvents: [] }) } };
    dispatchEvent(new Event("jay:automation-ready"));
  </script>`;

describe("PA3 Jay", () => {
  it("offers its refs with coordinates, and leaves out the chat's own state and what is no element", async () => {
    servePage(jayPage);
    const page = await openSite(browser, handler);
    handler.replyWith(
      call("click-add-to-cart", { coordinate: "nope/addToCart" }),
      call("fill-search", { value: "mug" }),
      call("click-add-to-cart", { coordinate: "mug/addToCart" }),
      "Added.",
    );
    await say(page, "Add a mug");
    // "Add to cart" of a ref named by the site is still unknown to the rules: its button says "Add".
    await approveStep(page);
    await untilAnswer(page, "Added.");
    expect(await page.title()).toBe("Added mug");
    expect(await page.locator("#q").inputValue()).toBe("mug");
    const names = handler.inputs[0]?.toolDefinitions.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["click-add-to-cart", "fill-search"]));
    expect(names.join()).not.toMatch(/ar0|secret|click-add(?:,|$)/);
    expect(resultsOf(handler.inputs[1])[0]?.candidates).toHaveLength(2);
    const { content } = handler.inputs[0]?.pageState ?? {};
    expect(content).toMatchObject({
      viewState: { items: [{ n: 1 }, { n: 2 }, { n: 3 }, "and 2 more"] },
    });
    expect(handler.bodies.join()).not.toMatch(/secret words|jay-password/);
  });

  it("falls back to the page itself where a production build has no automation", async () => {
    servePage('<button type="button">Show lamps</button>');
    const page = await openSite(browser, handler);
    handler.replyWith(call("click-show-lamps"), "Shown.");
    await say(page, "Show lamps");
    await untilAnswer(page, "Shown.");
    expect(resultsOf(handler.inputs[1])[0]).toMatchObject({ ok: true });
  });
});

describe("trees inside the page", () => {
  it("reads and drives open shadow roots and frames of the same origin, and names other frames", async () => {
    handler.pages.set("/inner", {
      html: `<h2>Inside</h2><button type="button" onclick="document.body.append('Inner clicked')">Show inner</button>`,
    });
    other.pages.set("*", { html: "<p>foreign words</p>" });
    servePage(`<x-box></x-box><iframe title="Help" src="/inner"></iframe><iframe title="Ad" src="${other.origin}/"></iframe>
      <script>customElements.define("x-box", class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: "open" }).innerHTML = '<p>In the shadow</p><label>Size <input></label><button type="button">Show more sizes</button>'; } });</script>`);
    const page = await openSite(browser, handler);
    await page.waitForLoadState("networkidle");
    handler.replyWith(call("fill-size", { value: "XL" }), call("click-show-inner"), "Done.");
    await say(page, "Choose XL");
    await untilAnswer(page, "Done.");
    const view = viewOf(handler.inputs[0]);
    expect(view).toContain("In the shadow");
    expect(view).toContain('heading 2 "Inside"');
    expect(view).toContain('frame "Ad" of another site, which cannot be read');
    expect(view).not.toContain("foreign words");
    expect(await page.locator("x-box input").inputValue()).toBe("XL");
    expect(viewOf(handler.inputs[2])).toContain("Inner clicked");
  });
});

describe("server approvals", () => {
  it("open on the handler's origin in a window of their own, and are asked about until decided", async () => {
    servePage("<h1>Shop</h1>");
    const page = await openSite(browser, handler);
    const waiting = (url: string) => ({ approvals: [{ id: "p", preview: "Refund order 7", url }] });
    const asked = (): Promise<unknown> =>
      expect.poll(() => handler.inputs.length).toBeGreaterThan(2);
    handler.replyWith(
      waiting("/bron/approve/p"),
      waiting("/bron/approve/p"),
      waiting(`${other.origin}/approve`),
      "Refunded.",
    );
    await say(page, "Refund order 7");
    const link = page.getByRole("link", { name: "Review request" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`${handler.origin}/bron/approve/p`);
    expect(await link.getAttribute("rel")).toContain("noopener");
    await asked();
    // A page of another origin is never offered.
    await link.waitFor({ state: "detached" });
    await untilAnswer(page, "Refunded.");
    expect(handler.inputs.slice(1).map(({ results }) => results)).toEqual([[], [], []]);
  });
});

describe("two tabs, and people who cannot see", () => {
  it("go on apart: a duplicated tab has the words, and uses no state of the first", async () => {
    servePage("<h1>Shop</h1>");
    const page = await openSite(browser, handler);
    handler.replyWith("First.", "From the copy.", "From the first.");
    await say(page, "One");
    await untilAnswer(page, "First.");
    const [copy] = await Promise.all([
      page.context().waitForEvent("page"),
      // The new tab gets a copy of the storage, as a duplicated one does.
      page.evaluate(() => void window.open("/", "_blank", "popup")),
    ]);
    await untilAnswer(copy, "First.");
    await say(copy, "Two");
    await untilAnswer(copy, "From the copy.");
    await say(page, "Three");
    await untilAnswer(page, "From the first.");
    expect(handler.inputs.map(({ state }) => state !== undefined)).toEqual([false, false, true]);
  });

  it.each(["light", "dark"] as const)(
    "PA1 has no serious problem for axe in %s",
    async (colorScheme) => {
      handler.pages.set("*", {
        html: `<!doctype html><html lang="en"><head><title>Test</title></head><body><main><h1>Shop</h1><form><label>Name <input value="Mara"></label><button>Send order</button></form></main><script src="/bron/bron-chat.js" data-open data-suggestions="Find a lamp"></script></body></html>`,
      });
      const page = await openSite(browser, handler, { context: { colorScheme } });
      expect(await violationsOn(page)).toEqual([]);
      handler.replyWith(
        "Some **words**.\n\n- one\n- `two`\n\n```\ncode\n```",
        call("click-send-order"),
        {
          status: 429,
          code: "rate_limited",
          message: "",
        },
      );
      await say(page, "Hi");
      await untilAnswer(page, "Some words.");
      expect(await violationsOn(page)).toEqual([]);
      await say(page, "Order");
      await approvalBox(page).waitFor();
      await expect
        .poll(() =>
          page.getByRole("button", { name: "Approve this step" }).getAttribute("aria-disabled"),
        )
        .toBe("false");
      expect(await violationsOn(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Try again" }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      // Everything is reached and done with keys.
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Ask the assistant" }).waitFor();
      await page.keyboard.press("Enter");
      await expect
        .poll(() =>
          page.evaluate(
            () => document.querySelector("bron-chat")?.shadowRoot?.activeElement?.localName,
          ),
        )
        .toBe("textarea");
    },
  );
});
