// The chat, the shop and the real handler together. Only the model is scripted.
import { createPageHandler } from "@bron/page";
import { createShop, listen } from "@bron/shop";
import { scriptedLanguageModel } from "@bron/testing";
import { afterAll, describe, expect, it } from "vitest";
import { newPage } from "./support/new-page.ts";
import { buildShop } from "./support/page/build-shop.ts";
import { approveStep, openTrees, say, untilAnswer } from "./support/page/chat-page.ts";
import { connectToBrowser } from "./support/start-for-file.ts";

const browser = await connectToBrowser();
let origin = "";
const prompts: string[] = [];
const model = scriptedLanguageModel(({ options }) => {
  const last = JSON.stringify(options.prompt.at(-1));
  prompts.push(JSON.stringify(options.prompt));
  if (last.includes("Search for brass"))
    return { calls: [{ tool: "fill-search", input: { value: "brass" } }] };
  if (last.includes("Order it")) return { calls: [{ tool: "click-place-order", input: {} }] };
  return { text: "That is done." };
});
const handler = await createPageHandler({
  secretKey: "a secret key of at least 32 characters",
  findSite: async (name) => ({
    name,
    origins: [origin],
    isOn: true,
    model: { model, name: "scripted", maxOutputTokens: 100 },
    instruction: "",
    actions: [],
    caps: {},
  }),
});
const shop = createShop({ pageHandler: async (request) => await handler(request) });
await buildShop();
const server = await listen(shop);
origin = server.url;

afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("the chat with the real handler", () => {
  it("PA4 PA5 drives the page over several rounds, and goes on after a reload", async () => {
    const page = await newPage(browser);
    page.setDefaultTimeout(15_000);
    await page.addInitScript(openTrees);
    await page.goto(`${server.url}/react/`);
    await say(page, "Search for brass lamps");
    await untilAnswer(page, "That is done.");
    expect(await page.getByLabel("Search").inputValue()).toBe("brass");
    await page.reload();
    await untilAnswer(page, "That is done.");
    await say(page, "Thank you");
    await expect.poll(() => page.locator("bron-chat .message.assistant").count()).toBe(2);
    expect(prompts.at(-1)).toContain("Search for brass lamps");
  });

  it("PA10 places an order after one approval", async () => {
    const page = await newPage(browser);
    page.setDefaultTimeout(15_000);
    await page.addInitScript(openTrees);
    await page.addInitScript(() => localStorage.setItem("shop-cart", "oak-lamp:1"));
    await page.goto(`${server.url}/react/checkout`);
    for (const [label, value] of [
      ["Name", "Mara"],
      ["Email", "mara@lindqvist.example"],
      ["Address", "1 Canal Street"],
      ["Card number", "5555555555554444"],
      ["Security code", "737"],
    ] as const)
      await page.getByLabel(label).fill(value);
    await say(page, "Order it");
    await approveStep(page);
    await untilAnswer(page, "That is done.");
    expect(shop.orders.all()).toHaveLength(1);
    expect(prompts.join()).not.toContain("5555555555554444");
  });
});
