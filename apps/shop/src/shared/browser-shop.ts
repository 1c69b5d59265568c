import { readCart, writeCart, type Cart } from "./cart.ts";

const storageKey = "shop-cart";

export function loadCart(): Cart {
  return readCart(localStorage.getItem(storageKey) ?? "");
}

export function saveCart(cart: Cart): void {
  localStorage.setItem(storageKey, writeCart(cart));
}

export interface Order {
  readonly name: string;
  readonly email: string;
  readonly address: string;
  readonly delivery: string;
  readonly giftWrap: boolean;
}

export const noOrder: Order = {
  name: "",
  email: "",
  address: "",
  delivery: "standard",
  giftWrap: false,
};

/** The card never leaves the page: nothing is charged in this shop. */
export async function sendOrder(cart: Cart, order: Order): Promise<string> {
  const response = await fetch("/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ cart: writeCart(cart), ...order }),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** The path below the folder of the shop: "/react/cart" is "/cart". */
export function currentPath(base: string): string {
  return location.pathname.slice(base.length) || "/";
}

/** Opens links without loading a page. Returns what ends it. */
export function subscribeToLinks(base: string, onChange: (path: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    if (!link || link.origin !== location.origin || !link.pathname.startsWith(base)) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    onChange(currentPath(base));
  };
  const onPop = () => onChange(currentPath(base));
  document.addEventListener("click", onClick);
  addEventListener("popstate", onPop);
  return () => {
    document.removeEventListener("click", onClick);
    removeEventListener("popstate", onPop);
  };
}
