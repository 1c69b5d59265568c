import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openBrowser } from "./support/open-browser.ts";
import {
  approvalBox,
  approveStep,
  openSite,
  pageWith,
  resultsOf,
  say,
  untilAnswer,
} from "./support/page/chat-page.ts";
import { startFakeHandler } from "./support/page/fake-handler.ts";
import { connectToBrowser } from "./support/start-for-file.ts";

const handler = await startFakeHandler();
const browser = await connectToBrowser();

afterEach(() => {
  expect(handler.violations).toEqual([]);
  handler.clear();
});
afterAll(async () => {
  await browser.close();
  await handler.close();
});

const servePage = (body: string, attributes = "data-open") =>
  handler.pages.set("*", { html: pageWith(body, attributes) });
const call = (name: string, args = {}) => ({ calls: [{ name, args }] });

interface PageElement extends HTMLElement {
  readonly state: { lastUserMessage: string; lastAssistantMessage: string; isExpanded: boolean };
  open(): void;
  send(message: string): Promise<void>;
  reset(): void;
  setTexts(texts: object): void;
  registerTool(tool: object): () => void;
}

describe("the chat as a site sees it", () => {
  it("PA1 has state, events, methods and texts, and shows only approvals when headless", async () => {
    servePage(
      '<button type="button" onclick="document.title=\'Sent\'">Send it</button>',
      "data-headless",
    );
    const page = await openSite(browser, handler);
    expect(await page.getByRole("button", { name: "Ask the assistant" }).isVisible()).toBe(false);
    await page.evaluate(() => {
      const element = document.querySelector("bron-chat") as PageElement;
      const seen: string[] = [];
      Object.assign(window, { seen });
      for (const type of ["bron-open", "bron-call", "bron-approval", "bron-error"])
        document.addEventListener(type, () => seen.push(type));
      element.setTexts({ approve: "Ja, bitte" });
    });
    handler.replyWith(call("click-send-it"), "It is sent.");
    await page.evaluate(
      () => void (document.querySelector("bron-chat") as PageElement).send("Send it"),
    );
    const approve = page.getByRole("button", { name: "Ja, bitte" });
    await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false");
    expect(await page.getByLabel("Your message").isVisible()).toBe(false);
    await approve.click();
    await expect.poll(() => page.title()).toBe("Sent");
    await expect
      .poll(() => page.evaluate(() => (document.querySelector("bron-chat") as PageElement).state))
      .toMatchObject({ lastUserMessage: "Send it", lastAssistantMessage: "It is sent." });
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(
      expect.arrayContaining(["bron-call", "bron-approval"]),
    );
    expect(await approve.isVisible()).toBe(false);
  });

  it("asks once per visit before it types, if the site wants that", async () => {
    servePage(
      "<label>City <input></label><label>Street <input></label>",
      'data-open data-reversible="once"',
    );
    const page = await openSite(browser, handler);
    handler.replyWith(
      {
        calls: [
          { name: "fill-city", args: { value: "Ghent" } },
          { name: "fill-street", args: { value: "Main" } },
        ],
      },
      "Filled.",
    );
    await say(page, "Fill it in");
    const allow = page.getByRole("button", { name: "Allow for this visit" });
    await expect.poll(() => allow.getAttribute("aria-disabled")).toBe("false");
    expect(await page.getByLabel("City").inputValue()).toBe("");
    await allow.click();
    await untilAnswer(page, "Filled.");
    expect(await page.getByLabel("Street").inputValue()).toBe("Main");
  });

  it("reports a tool of the site that throws, and ends an approval when the visitor writes instead", async () => {
    servePage('<button type="button" onclick="document.title=\'Gone\'">Delete all</button>');
    const page = await openSite(browser, handler);
    await page.evaluate(() => {
      (document.querySelector("bron-chat") as PageElement).registerTool({
        name: "count-stock",
        description: "Counts",
        annotations: { readOnlyHint: true },
        execute: () => {
          throw new Error("The stock is on fire");
        },
      });
    });
    handler.replyWith(call("count-stock"), call("click-delete-all"), "You wrote something else.");
    await say(page, "Count and delete");
    await approvalBox(page).waitFor();
    expect(JSON.stringify(resultsOf(handler.inputs[1]))).toContain("The stock is on fire");
    expect(handler.inputs[1]?.results[0]).toMatchObject({ isError: true });
    await say(page, "No, wait");
    await untilAnswer(page, "You wrote something else.");
    expect(await page.title()).toBe("Test page");
    expect(await approvalBox(page).isVisible()).toBe(false);
    expect(handler.inputs[2]).toMatchObject({ message: "No, wait" });
    expect(handler.inputs[2]?.results).toBeUndefined();
  });

  it("goes on by itself when the network is back", async () => {
    servePage("<h1>Shop</h1>");
    const page = await openSite(browser, handler);
    handler.replyWith("Hello again.");
    await page.context().setOffline(true);
    await say(page, "Hello");
    await page.locator("bron-chat .card").getByText("The connection was lost").waitFor();
    await page.context().setOffline(false);
    await untilAnswer(page, "Hello again.");
  });
});

describe("PA9 the browser's own WebMCP", () => {
  it("takes tools and forms from it, and publishes ours there", async () => {
    const ownBrowser = await openBrowser(["--enable-features=WebMCP"]);
    try {
      servePage(`<form toolname="find-lamp" tooldescription="Finds a lamp" toolautosubmit><label>Name <input name="name" required></label><button>Find</button></form>
        <script>document.modelContext?.registerTool({ name: "stock-of", description: "Counts lamps", inputSchema: { type: "object", properties: { lamp: { type: "string" } }, required: ["lamp"] }, annotations: { readOnlyHint: true }, execute: ({ lamp }) => ({ lamp, left: 7 }) });</script>`);
      const page = await openSite(ownBrowser, handler);
      expect(await page.evaluate(() => "modelContext" in document)).toBe(true);
      handler.replyWith(call("stock-of", { lamp: "oak" }), "Seven.");
      await say(page, "How many oak lamps?");
      await untilAnswer(page, "Seven.");
      const names = handler.inputs[0]?.toolDefinitions.map(({ name }) => name) ?? [];
      expect(names).toEqual(expect.arrayContaining(["stock-of", "find-lamp", "page_read"]));
      expect(names.filter((name) => name === "page_read")).toHaveLength(1);
      expect(JSON.stringify(resultsOf(handler.inputs[1]))).toContain("left");
      const listed = await page.evaluate(async () => {
        const { modelContext } = document as unknown as {
          modelContext: { getTools(): Promise<{ name: string }[]> };
        };
        return (await modelContext.getTools()).map(({ name }) => name);
      });
      expect(listed).toEqual(expect.arrayContaining(["page_read", "fill-input", "stock-of"]));
    } finally {
      await ownBrowser.close();
    }
  });

  it("is not needed", async () => {
    servePage('<button type="button">Show lamps</button>');
    const page = await openSite(browser, handler);
    expect(await page.evaluate(() => "modelContext" in document)).toBe(false);
    handler.replyWith(call("click-show-lamps"), "Shown.");
    await say(page, "Show lamps");
    await untilAnswer(page, "Shown.");
  });
});

describe("a phone", () => {
  it("PA1 shows the page while it asks about it", async () => {
    servePage(
      '<meta name="viewport" content="width=device-width"><button type="button" onclick="document.title=\'Sent\'">Send it</button>',
    );
    const page = await openSite(browser, handler, {
      context: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    });
    handler.replyWith(call("click-send-it"), "Sent.");
    await say(page, "Send it");
    await approvalBox(page).waitFor();
    const box = await approvalBox(page).boundingBox();
    expect(box?.height ?? 0).toBeLessThan(400);
    expect(await page.getByRole("button", { name: "Send it", exact: true }).isVisible()).toBe(true);
    await approveStep(page);
    await untilAnswer(page, "Sent.");
    expect(await page.title()).toBe("Sent");
  });
});
