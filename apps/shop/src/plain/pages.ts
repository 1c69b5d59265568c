import { countOf, linesOf, totalOf, type Cart } from "../shared/cart.ts";
import {
  categories,
  filterProducts,
  formatPrice,
  type Filters,
  type Product,
} from "../shared/products.ts";
import { html, type Html } from "./html.ts";

const base = "/plain";

export interface Page {
  readonly title: string;
  readonly body: Html;
}

/** The shop as pages that work without scripts. Only the chat has one. */
export function plainLayout(cart: Cart, { title, body }: Page): Html {
  return html`<header>
      <a href="${base}/">Corner shop</a>
      <nav aria-label="Shop">
        <a href="${base}/">Products</a>
        <a href="${base}/cart">Cart (${countOf(cart)})</a>
      </nav>
    </header>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>`;
}

export function productListPage(filters: Filters): Page {
  const found = filterProducts(filters);
  const isChosen = (one: string, other: string) => html`${one === other ? html` selected` : ""}`;
  const body = html`<form role="search" class="filters" action="${base}/">
      <label>Search <input type="search" name="q" value="${filters.query}" /></label>
      <label
        >Category
        <select name="category">
          <option value="">All</option>
          ${categories.map((name) => html`<option${isChosen(name, filters.category)}>${name}</option>`)}
        </select></label
      >
      <label
        >Highest price in euros <input type="number" min="0" name="max" value="${filters.maxPrice}"
      /></label>
      <label
        >Sort by
        <select name="sort">
          <option value="name">Name</option>
          <option value="price" ${isChosen("price", filters.sort)}>Price</option>
        </select></label
      >
      <label
        ><input type="checkbox" name="stock" value="1" ${filters.inStock ? html` checked` : ""} />
        In stock only</label
      >
      <button>Search</button>
    </form>
    <p role="status">${found.length} products</p>
    <ul class="products" aria-label="Products">
      ${found.map(productItem)}
    </ul>`;
  return { title: "Products", body };
}

function productItem(product: Product): Html {
  const { id, name, price } = product;
  return html`<li>
    <h2><a href="${base}/product/${id}">${name}</a></h2>
    <p>${formatPrice(price)}</p>
    ${addForm(product)}
  </li>`;
}

function addForm({ id, stock }: Product): Html {
  if (stock === 0) return html`<p class="quiet">Sold out</p>`;
  return html`<form method="post" action="${base}/cart">
    <input type="hidden" name="add" value="${id}" />
    <button class="in-cart">Add to cart</button>
  </form>`;
}

export function productPage(product: Product): Page {
  const { name, description, price, stock } = product;
  const body = html`<p>${description}</p>
    <p>${formatPrice(price)}, ${stock} in stock</p>
    ${addForm(product)}`;
  return { title: name, body };
}

export function cartPage(cart: Cart): Page {
  const lines = linesOf(cart);
  if (lines.length === 0) return { title: "Cart", body: html`<p>Your cart is empty.</p>` };
  const rows = lines.map(
    ({ product: { id, name, price }, quantity }) =>
      html`<li>
        <span>${name}</span>
        <form method="post" action="${base}/cart">
          <label
            >Quantity of ${name}
            <input type="number" min="0" max="20" name="quantity" value="${quantity}"
          /></label>
          <input type="hidden" name="set" value="${id}" />
          <button class="in-cart" aria-label="Change quantity of ${name}">Change quantity</button>
        </form>
        <span>${formatPrice(price * quantity)}</span>
        <form method="post" action="${base}/cart">
          <input type="hidden" name="set" value="${id}" /><input
            type="hidden"
            name="quantity"
            value="0"
          />
          <button aria-label="Remove ${name}">Remove</button>
        </form>
      </li>`,
  );
  const body = html`<ul class="cart" aria-label="Cart">
      ${rows}
    </ul>
    <p><strong>Total ${formatPrice(totalOf(cart))}</strong></p>
    <a class="button" href="${base}/checkout">Go to checkout</a>`;
  return { title: "Cart", body };
}

export function checkoutPage(cart: Cart): Page {
  const body = html`<p>${countOf(cart)} items, ${formatPrice(totalOf(cart))}</p>
    <form class="checkout" method="post" action="${base}/checkout">
      <label>Name <input name="name" required autocomplete="name" /></label>
      <label>Email <input name="email" type="email" required autocomplete="email" /></label>
      <label
        >Address <textarea name="address" required autocomplete="street-address"></textarea>
      </label>
      <label
        >Delivery
        <select name="delivery">
          <option value="standard">Standard</option>
          <option value="express">Express</option>
        </select></label
      >
      <label><input type="checkbox" name="giftWrap" value="1" /> Gift wrap</label>
      <label>Card number <input required autocomplete="cc-number" inputmode="numeric" /></label>
      <label
        >Security code <input required autocomplete="cc-csc" inputmode="numeric" maxlength="4"
      /></label>
      <button>Place order</button>
    </form>`;
  return { title: "Checkout", body };
}

export function orderPage(id: string): Page {
  return { title: "Thank you", body: html`<p>Your order has the number ${id}.</p>` };
}
