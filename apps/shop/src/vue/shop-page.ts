import {
  defineComponent,
  h,
  onMounted,
  onUnmounted,
  reactive,
  ref,
  watch,
  type VNode,
} from "@vue/runtime-dom";
import {
  currentPath,
  loadCart,
  noOrder,
  saveCart,
  sendOrder,
  subscribeToLinks,
} from "../shared/browser-shop.ts";
import { addToCart, countOf, linesOf, setQuantity, totalOf, type Cart } from "../shared/cart.ts";
import {
  categories,
  filterProducts,
  findProduct,
  formatPrice,
  noFilters,
} from "../shared/products.ts";
import { box, choice, field } from "./fields.ts";

const base = "/vue";

interface Shop {
  readonly cart: () => Cart;
  readonly setCart: (cart: Cart) => void;
  readonly go: (path: string) => void;
}

export const ShopPage = defineComponent(() => {
  const path = ref(currentPath(base));
  const cart = ref<Cart>(loadCart());
  let forget = () => undefined as void;
  onMounted(() => (forget = subscribeToLinks(base, (to) => (path.value = to))));
  onUnmounted(() => forget());
  watch(cart, saveCart);
  const shop: Shop = {
    cart: () => cart.value,
    setCart: (next) => (cart.value = next),
    go(to) {
      history.pushState(null, "", `${base}${to}`);
      path.value = to;
    },
  };
  return () => [
    h("header", [
      h("a", { href: `${base}/` }, "Corner shop"),
      h("nav", { "aria-label": "Shop" }, [
        h("a", { href: `${base}/` }, "Products"),
        h("a", { href: `${base}/cart` }, `Cart (${countOf(cart.value)})`),
      ]),
    ]),
    h("main", [pageAt(path.value, shop)]),
  ];
});

function pageAt(path: string, shop: Shop): VNode {
  const id = /^\/product\/(.+)$/.exec(path)?.[1];
  if (id !== undefined && findProduct(id)) return h(ProductPage, { id, shop });
  if (path === "/cart") return h(CartPage, { shop });
  if (path === "/checkout") return h(CheckoutPage, { shop });
  const order = /^\/order\/(.+)$/.exec(path)?.[1];
  if (order === undefined) return h(ProductList, { shop });
  return h("div", [h("h1", "Thank you"), h("p", `Your order has the number ${order}.`)]);
}

const ProductList = defineComponent(
  ({ shop }: { shop: Shop }) => {
    const filters = reactive({ ...noFilters });
    return () => {
      const found = filterProducts(filters);
      return h("div", [
        h("h1", "Products"),
        h(
          "form",
          { role: "search", class: "filters", onSubmit: (event: Event) => event.preventDefault() },
          [
            field("Search", filters, "query", { type: "search" }),
            choice("Category", filters, "category", [
              ["", "All"],
              ...categories.map((name) => [name, name] as const),
            ]),
            field("Highest price in euros", filters, "maxPrice", { type: "number", min: "0" }),
            choice("Sort by", filters, "sort", [
              ["name", "Name"],
              ["price", "Price"],
            ]),
            box("In stock only", filters, "inStock"),
          ],
        ),
        h("p", { role: "status" }, `${found.length} products`),
        h(
          "ul",
          { class: "products", "aria-label": "Products" },
          found.map(({ id, name, price, stock }) =>
            h("li", { key: id }, [
              h("h2", [h("a", { href: `${base}/product/${id}` }, name)]),
              h("p", formatPrice(price)),
              stock > 0
                ? h(
                    "button",
                    { type: "button", onClick: () => shop.setCart(addToCart(shop.cart(), id)) },
                    "Add to cart",
                  )
                : h("p", { class: "quiet" }, "Sold out"),
            ]),
          ),
        ),
      ]);
    };
  },
  { props: ["shop"] },
);

const ProductPage = defineComponent(
  ({ id, shop }: { id: string; shop: Shop }) =>
    () => {
      const product = findProduct(id);
      if (!product) return h("p", "There is no such product.");
      const { name, description, price, stock } = product;
      return h("div", [
        h("h1", name),
        h("p", description),
        h("p", `${formatPrice(price)}, ${stock} in stock`),
        h(
          "button",
          {
            type: "button",
            disabled: stock === 0,
            onClick: () => shop.setCart(addToCart(shop.cart(), id)),
          },
          "Add to cart",
        ),
      ]);
    },
  { props: ["id", "shop"] },
);

const CartPage = defineComponent(
  ({ shop }: { shop: Shop }) =>
    () => {
      const lines = linesOf(shop.cart());
      if (lines.length === 0) return h("div", [h("h1", "Cart"), h("p", "Your cart is empty.")]);
      const change = (id: string, quantity: number) =>
        shop.setCart(setQuantity(shop.cart(), id, quantity));
      return h("div", [
        h("h1", "Cart"),
        h(
          "ul",
          { class: "cart", "aria-label": "Cart" },
          lines.map(({ product: { id, name, price }, quantity }) =>
            h("li", { key: id }, [
              h("span", name),
              h("label", [
                `Quantity of ${name} `,
                h("input", {
                  type: "number",
                  min: "0",
                  max: "20",
                  value: quantity,
                  onChange: ({ target }: Event) =>
                    change(id, (target as HTMLInputElement).valueAsNumber),
                }),
              ]),
              h("span", formatPrice(price * quantity)),
              h("button", { type: "button", onClick: () => change(id, 0) }, "Remove"),
            ]),
          ),
        ),
        h("p", [h("strong", `Total ${formatPrice(totalOf(shop.cart()))}`)]),
        h("a", { class: "button", href: `${base}/checkout` }, "Go to checkout"),
      ]);
    },
  { props: ["shop"] },
);

const CheckoutPage = defineComponent(
  ({ shop }: { shop: Shop }) => {
    const order = reactive({ ...noOrder });
    const submit = async () => {
      const id = await sendOrder(shop.cart(), order);
      shop.setCart({});
      shop.go(`/order/${id}`);
    };
    const onSubmit = (event: Event) => {
      event.preventDefault();
      void submit();
    };
    return () =>
      h("div", [
        h("h1", "Checkout"),
        h("p", `${countOf(shop.cart())} items, ${formatPrice(totalOf(shop.cart()))}`),
        h("form", { class: "checkout", onSubmit }, [
          field("Name", order, "name", { required: true, autocomplete: "name" }),
          field("Email", order, "email", { required: true, type: "email", autocomplete: "email" }),
          field("Address", order, "address", { required: true, autocomplete: "street-address" }),
          choice("Delivery", order, "delivery", [
            ["standard", "Standard"],
            ["express", "Express"],
          ]),
          box("Gift wrap", order, "giftWrap"),
          h("label", [
            "Card number ",
            h("input", { required: true, autocomplete: "cc-number", inputmode: "numeric" }),
          ]),
          h("label", [
            "Security code ",
            h("input", {
              required: true,
              autocomplete: "cc-csc",
              inputmode: "numeric",
              maxlength: 4,
            }),
          ]),
          h("button", "Place order"),
        ]),
      ]);
  },
  { props: ["shop"] },
);
