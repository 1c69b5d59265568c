import { addToCart, readCart, setQuantity, writeCart, type Cart } from "../shared/cart.ts";
import { findProduct, noFilters, type Filters } from "../shared/products.ts";
import type { Orders } from "../orders.ts";
import {
  cartPage,
  checkoutPage,
  orderPage,
  plainLayout,
  productListPage,
  productPage,
  type Page,
} from "./pages.ts";
import type { Html } from "./html.ts";

export interface PlainResponse {
  readonly title: string;
  readonly body: Html;
}

const cookieName = "shop-cart";

/** The pages below /plain. The cart is in a cookie. Undefined for a path that does not exist. */
export async function plainShop(
  request: Request,
  orders: Orders,
): Promise<PlainResponse | Response | undefined> {
  const url = new URL(request.url);
  const path = url.pathname.replace(/^\/plain/, "") || "/";
  const cart = cartOf(request);
  if (request.method === "POST") return await post(path, request, { cart, orders });
  const page = pageAt(path, url, cart);
  return page && { title: page.title, body: plainLayout(cart, page) };
}

function pageAt(path: string, url: URL, cart: Cart): Page | undefined {
  if (path === "/") return productListPage(filtersIn(url.searchParams));
  if (path === "/cart") return cartPage(cart);
  if (path === "/checkout") return checkoutPage(cart);
  const [, kind, id = ""] = path.split("/");
  if (kind === "order") return orderPage(id);
  const product = kind === "product" ? findProduct(id) : undefined;
  return product && productPage(product);
}

function filtersIn(query: URLSearchParams): Filters {
  return {
    query: query.get("q") ?? noFilters.query,
    category: query.get("category") ?? noFilters.category,
    maxPrice: query.get("max") ?? noFilters.maxPrice,
    inStock: query.get("stock") === "1",
    sort: query.get("sort") ?? noFilters.sort,
  };
}

async function post(
  path: string,
  request: Request,
  { cart, orders }: { readonly cart: Cart; readonly orders: Orders },
): Promise<Response | undefined> {
  const form = new URLSearchParams(await request.text());
  const value = (name: string) => form.get(name) ?? "";
  if (path === "/cart") {
    const quantity = Number.parseInt(value("quantity"), 10);
    const next = form.has("add")
      ? addToCart(cart, value("add"))
      : setQuantity(cart, value("set"), quantity);
    return redirect("/plain/cart", next);
  }
  if (path !== "/checkout") return undefined;
  const id = orders.add({ cart: writeCart(cart), name: value("name"), address: value("address") });
  return redirect(`/plain/order/${id}`, {});
}

function redirect(location: string, cart: Cart): Response {
  const cookie = `${cookieName}=${writeCart(cart)}; Path=/plain; HttpOnly; SameSite=Lax`;
  return new Response(null, { status: 303, headers: { location, "set-cookie": cookie } });
}

function cartOf(request: Request): Cart {
  const cookie = request.headers.get("cookie") ?? "";
  return readCart(new RegExp(`(?:^|; )${cookieName}=([^;]*)`).exec(cookie)?.[1] ?? "");
}
