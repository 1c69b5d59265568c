import { findProduct, type Product } from "./products.ts";

/** How many of each product. */
export type Cart = Readonly<Record<string, number>>;

export interface CartLine {
  readonly product: Product;
  readonly quantity: number;
}

const maxQuantity = 20;

export function setQuantity(cart: Cart, id: string, quantity: number): Cart {
  if (!findProduct(id) || !Number.isInteger(quantity)) return cart;
  const { [id]: _, ...others } = cart;
  return quantity <= 0 ? others : { ...others, [id]: Math.min(quantity, maxQuantity) };
}

export function addToCart(cart: Cart, id: string): Cart {
  return setQuantity(cart, id, (cart[id] ?? 0) + 1);
}

export function linesOf(cart: Cart): CartLine[] {
  return Object.entries(cart).flatMap(([id, quantity]) => {
    const product = findProduct(id);
    return product ? [{ product, quantity }] : [];
  });
}

export function countOf(cart: Cart): number {
  return linesOf(cart).reduce((sum, { quantity }) => sum + quantity, 0);
}

export function totalOf(cart: Cart): number {
  return linesOf(cart).reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
}

/** "oak-lamp:2.fern:1", which a cookie and the browser's storage can keep. */
export function writeCart(cart: Cart): string {
  return linesOf(cart)
    .map(({ product, quantity }) => `${product.id}:${quantity}`)
    .join(".");
}

export function readCart(text: string): Cart {
  return text.split(".").reduce<Cart>((cart, entry) => {
    const [id = "", quantity = ""] = entry.split(":");
    return setQuantity(cart, id, Number.parseInt(quantity, 10));
  }, {});
}
