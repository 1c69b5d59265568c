import { createShop, listen } from "@bron/shop";
import type { Page } from "playwright-core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { newPage } from "./support/new-page.ts";
import { buildShop } from "./support/page/build-shop.ts";
import {
  approveStep,
  idIn,
  openTrees,
  resultsOf,
  say,
  untilAnswer,
  viewOf,
} from "./support/page/chat-page.ts";
import { startFakeHandler, type FakeCall } from "./support/page/fake-handler.ts";
import { connectToBrowser } from "./support/start-for-file.ts";

const handler = await startFakeHandler();
const shop = createShop({ pageHandler: forward });
await buildShop();
const server = await listen(shop);
const browser = await connectToBrowser();

afterEach(() => {
  expect(handler.violations).toEqual([]);
  handler.clear();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await handler.close();
});

async function forward(request: Request): Promise<Response | undefined> {
  if (request.method !== "POST") return undefined;
  const { pathname } = new URL(request.url);
  const body = await request.text();
  return await fetch(`${handler.origin}${pathname}`, {
    method: "POST",
    headers: request.headers,
    body,
  });
}

async function open(path: string): Promise<Page> {
  const page = await newPage(browser);
  page.setDefaultTimeout(15_000);
  await page.addInitScript(openTrees);
  await page.goto(`${server.url}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const call = (name: string, args: FakeCall["args"] = {}) => ({ calls: [{ name, args }] });

describe.each(["plain", "react", "vue"])("the shop in %s", (kind) => {
  it("PA1 PA3 is searched, filled and ordered from by the chat, and the order needs one approval", async () => {
    const before = shop.orders.all().length;
    const page = await open(`/${kind}/`);
    const isPlain = kind === "plain";
    handler.replyWith(
      call("fill-search", { value: "brass" }),
      isPlain ? call("click-search") : call("page_read", { query: "products" }),
      call("click-add-to-cart"),
      isPlain ? call("page_read", { query: "Cart" }) : call("click-cart-1"),
      call("click-go-to-checkout"),
      {
        calls: [
          { name: "fill-name", args: { value: "Mara Lindqvist" } },
          { name: "fill-email", args: { value: "mara@lindqvist.example" } },
          { name: "fill-address", args: { value: "1 Canal Street" } },
          { name: "fill-delivery", args: { value: "Express" } },
          { name: "toggle-gift-wrap", args: {} },
        ],
      },
      "Now your card, please.",
      call("click-place-order"),
      "Ordered.",
    );
    await say(page, "Order one brass lamp");
    await untilAnswer(page, "Now your card, please.").catch(() =>
      console.info(
        JSON.stringify(
          handler.inputs.map((i) => [i.results, i.toolDefinitions.map((t) => t.name).join()]),
        ),
      ),
    );
    expect(handler.inputs.flatMap(resultsOf).filter(({ error }) => error !== undefined)).toEqual(
      [],
    );
    expect(await page.getByLabel("Name").inputValue()).toBe("Mara Lindqvist");
    expect(await page.getByLabel("Delivery").inputValue()).toBe("express");
    expect(await page.getByLabel("Gift wrap").isChecked()).toBe(true);
    await page.getByLabel("Card number").fill("5555 5555 5555 4444");
    await page.getByLabel("Security code").fill("737");
    await say(page, "Done, place it");
    await approveStep(page);
    await untilAnswer(page, "Ordered.");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const orders = shop.orders.all().slice(before);
    expect(orders).toMatchObject([{ cart: "brass-lamp:1", name: "Mara Lindqvist" }]);
    expect(handler.bodies.join("\n")).not.toMatch(/5555|4444/);
  });

  it("does nothing with a coordinate of another page, and names what is there", async () => {
    const page = await open(`/${kind}/`);
    handler.replyWith("Hello.");
    await say(page, "Hi");
    await untilAnswer(page, "Hello.");
    const [input] = handler.inputs;
    const id = input ? idIn(input, '"Add to cart"') : "";
    expect(viewOf(input)).toContain("Oak lamp");
    await page.getByRole("link", { name: "Oak lamp" }).click();
    await page.getByRole("heading", { name: "Oak lamp" }).waitFor();
    handler.replyWith(call("trigger-interaction", { element: id }), "Gone.");
    await say(page, "Add it");
    await untilAnswer(page, "Gone.");
    const [result] = resultsOf(handler.inputs.at(-1));
    expect(result?.error).toContain(`no element ${id}`);
    expect(JSON.stringify(result?.candidates)).toContain("Add to cart");
    await page.getByText("Cart (0)").waitFor();
  });
});
