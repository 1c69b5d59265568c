import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createOrders, type Orders } from "./orders.ts";
import { html, type Html } from "./plain/html.ts";
import { plainShop } from "./plain/plain-shop.ts";

export interface ShopOptions {
  /** Takes what is below /bron, except for the script. Without it, the chat has no answers. */
  readonly pageHandler?: (request: Request) => Promise<Response | undefined>;
  /** The name of the shop at the handler. */
  readonly site?: string;
}

export interface Shop {
  handle(request: Request): Promise<Response>;
  readonly orders: Orders;
}

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const widgetDist = fileURLToPath(new URL("../../../packages/page-widget/dist/", import.meta.url));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const scripts: Readonly<Record<string, string>> = {
  "/assets/react.js": `${dist}react.js`,
  "/assets/vue.js": `${dist}vue.js`,
  "/bron/bron-chat.js": `${widgetDist}bron-chat.js`,
};
const styleSheet = fileURLToPath(new URL("shop.css", import.meta.url));

/** The same small shop three times: /plain, /react and /vue. */
export function createShop({ pageHandler, site = "shop" }: ShopOptions = {}): Shop {
  const orders = createOrders();
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const script = scripts[pathname];
    if (script !== undefined) return file(await readFile(script), "text/javascript");
    if (pathname.startsWith("/bron/")) {
      const response = await pageHandler?.(request);
      if (response) return response;
    }
    if (pathname === "/assets/shop.css") return file(await readFile(styleSheet), "text/css");
    if (pathname === "/orders") return await takeOrder(request, orders);
    if (pathname === "/") return page("Corner shop", startPage, { site });
    if (/^\/(?:react|vue)(?:\/|$)/.test(pathname)) {
      const kind = pathname.split("/")[1] ?? "";
      const body = html`<div id="shop"></div>
        <script type="module" src="/assets/${kind}.js"></script>`;
      return page("Corner shop", body, { site });
    }
    const plain = pathname.startsWith("/plain") ? await plainShop(request, orders) : undefined;
    if (plain instanceof Response) return plain;
    if (plain) return page(`${plain.title} · Corner shop`, plain.body, { site });
    return new Response("Not found", { status: 404 });
  };
  return { handle, orders };
}

const startPage = html`<main>
  <h1>Corner shop</h1>
  <p>The same shop three times. The chat in the corner works in each of them.</p>
  <ul class="kinds">
    <li><a href="/plain/">Plain HTML</a></li>
    <li><a href="/react/">React</a></li>
    <li><a href="/vue/">Vue</a></li>
  </ul>
</main>`;

function page(title: string, body: Html, { site }: { readonly site: string }): Response {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/assets/shop.css" />
      </head>
      <body>
        ${body}
        <script
          src="/bron/bron-chat.js"
          data-site="${site}"
          data-heading="Shop assistant"
          data-free=".in-cart"
          data-suggestions="Find a lamp under €50|Put two blue mugs into my cart|What does delivery cost?"
          defer
        ></script>
      </body>
    </html>`;
  return new Response(markup, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

function file(bytes: Uint8Array<ArrayBuffer>, type: string): Response {
  const headers = { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" };
  return new Response(bytes, { headers });
}

async function takeOrder(request: Request, orders: Orders): Promise<Response> {
  if (request.method === "GET") return Response.json({ orders: orders.all() });
  const sent = (await request.json()) as Readonly<Record<string, unknown>>;
  const text = (name: string) => {
    const value = sent[name];
    return typeof value === "string" ? value.slice(0, 2_000) : "";
  };
  const id = orders.add({ cart: text("cart"), name: text("name"), address: text("address") });
  return Response.json({ id });
}
