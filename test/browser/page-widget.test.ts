import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  approvalBox,
  approveStep,
  idIn,
  openSite,
  pageWith,
  resultsOf,
  say,
  untilAnswer,
  viewOf,
} from "./support/page/chat-page.ts";
import { startFakeHandler, strictPolicy } from "./support/page/fake-handler.ts";
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

const shop = `<main><h1>Lamps</h1>
  <form role="search" action="/"><label>Search <input type="search" name="q"></label></form>
  <ul aria-label="Products">
    <li>Oak lamp €39 <button type="button" class="add">Add to cart</button></li>
    <li>Brass lamp €89 <button type="button" class="add">Add to cart</button></li>
  </ul>
  <p id="count">0 in the cart</p>
  <form id="order"><label>Name <input name="name" value="Mara"></label>
    <label>Card number <input name="card" value="4242 4242 4242 4242"></label>
    <button>Place order</button></form>
  <button type="button" id="open">Show details</button></main>
  <script src="/shop.js"></script>`;
const shopScript = `let added = []; let orders = 0;
document.querySelectorAll(".add").forEach((button, index) => button.addEventListener("click", () => {
  added.push(index); count.textContent = added.length + " in the cart: " + added.join(",");
}));
order.addEventListener("submit", (event) => { event.preventDefault(); orders += 1; document.title = "Orders " + orders; });`;

function serveShop(attributes = ""): void {
  handler.pages.set("/shop.js", { html: shopScript });
  handler.pages.set("*", {
    html: pageWith(shop, attributes),
    headers: { "content-security-policy": strictPolicy },
  });
}

describe("the chat on a page", () => {
  it("PA1 comes with one script tag, under a strict policy, streams answers, and keeps them over a reload", async () => {
    serveShop('data-suggestions="What lamps are there?"');
    const page = await openSite(browser, handler);
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    handler.replyWith({ say: "There are **two** lamps.", delayMs: 1_000 }, "The oak lamp.");
    await page.getByRole("button", { name: "Ask the assistant" }).click();
    await page.getByRole("button", { name: "What lamps are there?" }).click();
    await page.getByText("Stop", { exact: true }).waitFor();
    await untilAnswer(page, "There are two lamps.");
    await page.getByText("Stop", { exact: true }).waitFor({ state: "hidden" });
    await page.reload();
    await untilAnswer(page, "There are two lamps.");
    await say(page, "Which is cheaper?");
    await untilAnswer(page, "The oak lamp.");
    expect(handler.inputs[1]?.history.map(({ content }) => content)).toEqual([
      "What lamps are there?",
      "There are **two** lamps.",
    ]);
    expect(problems).toEqual([]);

    await page.getByRole("button", { name: "Show less" }).click();
    await expect.poll(() => page.locator("bron-chat .message").allInnerTexts()).toHaveLength(2);
    await page.getByRole("button", { name: "Show all messages" }).click();
    await expect.poll(() => page.locator("bron-chat .message").allInnerTexts()).toHaveLength(4);
  });

  it("PA2 PA3 sends what is seen with each request, then changes, and tools with coordinates", async () => {
    serveShop();
    const page = await openSite(browser, handler);
    handler.replyWith(
      (input) => ({
        calls: [
          { name: "click-add-to-cart", args: { coordinate: idIn(input, "Add to cart") } },
          { name: "click-add-to-cart", args: { coordinate: "e9999" } },
        ],
      }),
      "Added.",
    );
    await say(page, "Add the oak lamp");
    await untilAnswer(page, "Added.");
    const [first, second] = handler.inputs;
    expect(viewOf(first)).toContain('heading 1 "Lamps"');
    expect(first?.pageState.kind).toBe("full");
    const names = first?.toolDefinitions.map(({ name }) => name) ?? [];
    expect(names).toEqual(
      expect.arrayContaining(["page_read", "trigger-interaction", "fill-input", "fill-search"]),
    );
    const add = first?.toolDefinitions.find(({ name }) => name === "click-add-to-cart");
    expect(add?.inputSchema).toMatchObject({ required: ["coordinate"] });
    expect(JSON.stringify(add?.inputSchema)).not.toContain("enum");
    const [done, wrong] = resultsOf(second);
    expect(done).toMatchObject({ ok: true });
    expect(wrong?.candidates).toHaveLength(4);
    expect(second?.pageState.kind).toBe("diff");
    expect(viewOf(second)).toContain("1 in the cart: 0");
    expect(await page.locator("#count").innerText()).toBe("1 in the cart: 0");
  });

  it("PA10 asks before a form is submitted, shows what it has without secrets, and submits it once", async () => {
    serveShop();
    const page = await openSite(browser, handler);
    const placeOrder = { calls: [{ name: "click-place-order", args: {} }] };
    handler.replyWith(placeOrder, "Declined.", placeOrder, "Ordered.");
    await say(page, "Order it");
    await approvalBox(page).waitFor();
    const words = await approvalBox(page).innerText();
    expect(words).toContain("Click “Place order”");
    expect(words).toContain("Mara");
    expect(words).not.toContain("4242");
    expect(await page.title()).toBe("Test page");
    await page.getByRole("button", { name: "Cancel" }).click();
    await untilAnswer(page, "Declined.");
    expect(handler.inputs[1]?.results[0]).toMatchObject({ isError: true });
    expect(await page.title()).toBe("Test page");

    await say(page, "Do it");
    await approveStep(page);
    await untilAnswer(page, "Ordered.");
    expect(await page.title()).toBe("Orders 1");
    expect(handler.bodies.join("\n")).not.toMatch(/4242/);
  });

  it("PA10 voids an approval when the form changes, and never clicks after Stop", async () => {
    serveShop();
    const page = await openSite(browser, handler);
    const placeOrder = { calls: [{ name: "click-place-order", args: {} }] };
    handler.replyWith(placeOrder, "It changed.", placeOrder);
    await say(page, "Order it");
    await approvalBox(page).waitFor();
    await page.evaluate(() => {
      (document.querySelector("[name=name]") as HTMLInputElement).value = "Eve";
    });
    await untilAnswer(page, "It changed.");
    expect(JSON.stringify(resultsOf(handler.inputs[1]))).toContain("page changed");

    await say(page, "Order it again");
    await approvalBox(page).waitFor();
    await page.getByText("Stop", { exact: true }).click();
    await approvalBox(page).waitFor({ state: "detached" });
    expect(await page.title()).toBe("Test page");
    // A new message ends what was open, and the handler gets no results for it.
    handler.replyWith("Fine.");
    await say(page, "Never mind");
    await untilAnswer(page, "Fine.");
    expect(handler.inputs.at(-1)?.results).toBeUndefined();
  });

  it("PA10 ignores what the page's scripts click, and leaves its own chat out", async () => {
    serveShop("data-manual");
    handler.pages.set("/", {
      html: pageWith(
        `${shop}<bron-chat endpoint="/bron" site="test" open></bron-chat>`,
        "data-manual",
      ),
    });
    const page = await openSite(browser, handler);
    handler.replyWith({ calls: [{ name: "click-place-order", args: {} }] }, "Later.");
    await say(page, "Order it");
    const approve = page.getByRole("button", { name: "Approve this step" });
    await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false");
    await approve.evaluate((button) => {
      (button as HTMLElement).click();
      button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    });
    expect(await approvalBox(page).isVisible()).toBe(true);
    expect(await page.title()).toBe("Test page");
    expect(viewOf(handler.inputs[0])).not.toContain("Your message");
    await approve.click();
    await untilAnswer(page, "Later.");
    expect(await page.title()).toBe("Orders 1");
  });

  it("shows an error with Try again, and sends the same message again", async () => {
    serveShop();
    const page = await openSite(browser, handler);
    handler.replyWith({ breakOff: true }, "Back again.");
    await say(page, "Hello");
    await page.locator("bron-chat .card").getByText("The connection was lost").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await untilAnswer(page, "Back again.");
    expect(handler.inputs.map(({ message }) => message)).toEqual(["Hello", "Hello"]);
    expect(await page.locator("bron-chat .message.user").count()).toBe(1);
  });

  it("goes on after the page was left in mid-call, with one result for each call", async () => {
    handler.pages.set("/", {
      html: pageWith('<a href="/next">Next page</a> <a href="/next">Other page</a>'),
    });
    handler.pages.set("/next", { html: pageWith("<h1>Second page</h1>") });
    const page = await openSite(browser, handler);
    handler.replyWith(
      {
        calls: [
          { name: "click-next-page", args: {} },
          { name: "click-other-page", args: {} },
        ],
      },
      "Here.",
    );
    await say(page, "Next");
    await untilAnswer(page, "Here.");
    expect(new URL(page.url()).pathname).toBe("/next");
    const [left, skipped] = resultsOf(handler.inputs[1]);
    expect(left).toMatchObject({ ok: true });
    expect(skipped?.error).toContain("before this call started");
    expect(viewOf(handler.inputs[1])).toContain("Second page");
  });

  it("PA9 takes tools from WebMCP where the browser has it, and publishes its own", async () => {
    handler.pages.set("/mcp.js", {
      html: `const published = new Set(); window.published = published;
        Object.defineProperty(document, "modelContext", { value: {
          registerTool: async ({ name }) => void published.add(name),
          getTools: async () => [{ name: "stock-of", description: "Counts lamps", inputSchema: { type: "object", properties: { lamp: { type: "string" } } }, annotations: { readOnlyHint: true } }],
          executeTool: async (tool, { lamp }) => JSON.stringify({ lamp, left: 7 }) } });`,
    });
    handler.pages.set("/", { html: pageWith('<script src="/mcp.js"></script><h1>Lamps</h1>') });
    const page = await openSite(browser, handler);
    handler.replyWith({ calls: [{ name: "stock-of", args: { lamp: "oak" } }] }, "Seven.");
    await say(page, "How many oak lamps?");
    await untilAnswer(page, "Seven.");
    expect(JSON.stringify(resultsOf(handler.inputs[1]))).toContain('\\"left\\":7');
    expect(
      await page.evaluate(() => [...(window as unknown as { published: Set<string> }).published]),
    ).toContain("page_read");
  });
});
