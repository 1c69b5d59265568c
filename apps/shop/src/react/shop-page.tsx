import { useEffect, useState, type ReactNode } from "react";
import {
  currentPath,
  loadCart,
  noOrder,
  saveCart,
  sendOrder,
  subscribeToLinks,
  type Order,
} from "../shared/browser-shop.ts";
import { addToCart, countOf, linesOf, setQuantity, totalOf, type Cart } from "../shared/cart.ts";
import {
  categories,
  filterProducts,
  findProduct,
  formatPrice,
  noFilters,
} from "../shared/products.ts";

const base = "/react";

interface Shop {
  readonly cart: Cart;
  readonly setCart: (cart: Cart) => void;
  readonly go: (path: string) => void;
}

export function ShopPage(): ReactNode {
  const [path, setPath] = useState(currentPath(base));
  const [cart, setCart] = useState(loadCart);
  useEffect(() => subscribeToLinks(base, setPath), []);
  useEffect(() => saveCart(cart), [cart]);
  const go = (to: string) => {
    history.pushState(null, "", `${base}${to}`);
    setPath(to);
  };
  const shop = { cart, setCart, go };
  return (
    <>
      <header>
        <a href={`${base}/`}>Corner shop</a>
        <nav aria-label="Shop">
          <a href={`${base}/`}>Products</a>
          <a href={`${base}/cart`}>Cart ({countOf(cart)})</a>
        </nav>
      </header>
      <main>{pageAt(path, shop)}</main>
    </>
  );
}

function pageAt(path: string, shop: Shop): ReactNode {
  const product = findProduct(/^\/product\/(.+)$/.exec(path)?.[1] ?? "");
  if (product) return <ProductPage id={product.id} shop={shop} />;
  if (path === "/cart") return <CartPage shop={shop} />;
  if (path === "/checkout") return <CheckoutPage shop={shop} />;
  const order = /^\/order\/(.+)$/.exec(path)?.[1];
  return order === undefined ? <ProductList shop={shop} /> : <OrderPage id={order} />;
}

function ProductList({ shop: { cart, setCart } }: { readonly shop: Shop }): ReactNode {
  const [filters, setFilters] = useState(noFilters);
  const found = filterProducts(filters);
  const set = (change: Partial<typeof filters>) => setFilters({ ...filters, ...change });
  return (
    <>
      <h1>Products</h1>
      <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search{" "}
          <input
            type="search"
            value={filters.query}
            onChange={({ target }) => set({ query: target.value })}
          />
        </label>
        <label>
          Category{" "}
          <select
            value={filters.category}
            onChange={({ target }) => set({ category: target.value })}
          >
            <option value="">All</option>
            {categories.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Highest price in euros{" "}
          <input
            type="number"
            min="0"
            value={filters.maxPrice}
            onChange={({ target }) => set({ maxPrice: target.value })}
          />
        </label>
        <label>
          Sort by{" "}
          <select value={filters.sort} onChange={({ target }) => set({ sort: target.value })}>
            <option value="name">Name</option>
            <option value="price">Price</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={filters.inStock}
            onChange={({ target }) => set({ inStock: target.checked })}
          />{" "}
          In stock only
        </label>
      </form>
      <p role="status">{found.length} products</p>
      <ul className="products" aria-label="Products">
        {found.map(({ id, name, price, stock }) => (
          <li key={id}>
            <h2>
              <a href={`${base}/product/${id}`}>{name}</a>
            </h2>
            <p>{formatPrice(price)}</p>
            {stock > 0 ? (
              <button type="button" onClick={() => setCart(addToCart(cart, id))}>
                Add to cart
              </button>
            ) : (
              <p className="quiet">Sold out</p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function ProductPage({
  id,
  shop: { cart, setCart },
}: {
  readonly id: string;
  readonly shop: Shop;
}): ReactNode {
  const product = findProduct(id);
  if (!product) return null;
  return (
    <>
      <h1>{product.name}</h1>
      <p>{product.description}</p>
      <p>
        {formatPrice(product.price)}, {product.stock} in stock
      </p>
      <button
        type="button"
        disabled={product.stock === 0}
        onClick={() => setCart(addToCart(cart, id))}
      >
        Add to cart
      </button>
    </>
  );
}

function CartPage({ shop: { cart, setCart } }: { readonly shop: Shop }): ReactNode {
  const lines = linesOf(cart);
  if (lines.length === 0)
    return (
      <>
        <h1>Cart</h1>
        <p>Your cart is empty.</p>
      </>
    );
  return (
    <>
      <h1>Cart</h1>
      <ul className="cart" aria-label="Cart">
        {lines.map(({ product, quantity }) => (
          <li key={product.id}>
            <span>{product.name}</span>
            <label>
              Quantity of {product.name}{" "}
              <input
                type="number"
                min="0"
                max="20"
                value={quantity}
                onChange={({ target }) =>
                  setCart(setQuantity(cart, product.id, target.valueAsNumber))
                }
              />
            </label>
            <span>{formatPrice(product.price * quantity)}</span>
            <button type="button" onClick={() => setCart(setQuantity(cart, product.id, 0))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <p>
        <strong>Total {formatPrice(totalOf(cart))}</strong>
      </p>
      <a className="button" href={`${base}/checkout`}>
        Go to checkout
      </a>
    </>
  );
}

function CheckoutPage({ shop: { cart, setCart, go } }: { readonly shop: Shop }): ReactNode {
  const [order, setOrder] = useState(noOrder);
  const set = (change: Partial<Order>) => setOrder({ ...order, ...change });
  const submit = async () => {
    const id = await sendOrder(cart, order);
    setCart({});
    go(`/order/${id}`);
  };
  return (
    <>
      <h1>Checkout</h1>
      <p>
        {countOf(cart)} items, {formatPrice(totalOf(cart))}
      </p>
      <form
        className="checkout"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          Name{" "}
          <input
            required
            autoComplete="name"
            value={order.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </label>
        <label>
          Email{" "}
          <input
            required
            type="email"
            autoComplete="email"
            value={order.email}
            onChange={({ target }) => set({ email: target.value })}
          />
        </label>
        <label>
          Address{" "}
          <textarea
            required
            autoComplete="street-address"
            value={order.address}
            onChange={({ target }) => set({ address: target.value })}
          />
        </label>
        <label>
          Delivery{" "}
          <select value={order.delivery} onChange={({ target }) => set({ delivery: target.value })}>
            <option value="standard">Standard</option>
            <option value="express">Express</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={order.giftWrap}
            onChange={({ target }) => set({ giftWrap: target.checked })}
          />{" "}
          Gift wrap
        </label>
        <label>
          Card number <input required autoComplete="cc-number" inputMode="numeric" />
        </label>
        <label>
          Security code <input required autoComplete="cc-csc" inputMode="numeric" maxLength={4} />
        </label>
        <button>Place order</button>
      </form>
    </>
  );
}

function OrderPage({ id }: { readonly id: string }): ReactNode {
  return (
    <>
      <h1>Thank you</h1>
      <p>Your order has the number {id}.</p>
    </>
  );
}
