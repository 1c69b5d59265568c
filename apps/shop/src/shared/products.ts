export interface Product {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  /** In cents. */
  readonly price: number;
  readonly description: string;
  readonly stock: number;
}

export const categories = ["Lamps", "Mugs", "Chairs", "Plants"] as const;
type Category = (typeof categories)[number];

const products: readonly Product[] = [
  [
    "oak-lamp",
    "Oak lamp",
    "Lamps",
    3900,
    "A small table lamp of oiled oak with a linen shade.",
    12,
  ],
  ["brass-lamp", "Brass lamp", "Lamps", 8900, "A heavy reading lamp. The arm turns and stays.", 4],
  [
    "paper-lamp",
    "Paper lamp",
    "Lamps",
    2400,
    "Folded by hand from washi paper. Gives warm light.",
    20,
  ],
  ["desk-lamp", "Desk lamp", "Lamps", 5900, "Three levels of light, and a clamp for the table.", 0],
  ["floor-lamp", "Floor lamp", "Lamps", 12900, "Stands 160 cm high on a base of cast iron.", 3],
  ["blue-mug", "Blue mug", "Mugs", 1400, "Stoneware with a speckled glaze. Holds 300 ml.", 40],
  ["white-mug", "White mug", "Mugs", 1200, "Thin porcelain, safe in the dishwasher.", 55],
  ["travel-mug", "Travel mug", "Mugs", 2800, "Keeps tea hot for six hours. The lid locks.", 17],
  ["espresso-cup", "Espresso cup", "Mugs", 900, "Holds 80 ml, with a saucer.", 31],
  ["big-mug", "Big mug", "Mugs", 1900, "Half a liter, for soup or for Mondays.", 8],
  ["oak-chair", "Oak chair", "Chairs", 18900, "A dining chair with a woven seat.", 6],
  ["folding-chair", "Folding chair", "Chairs", 6400, "Light, and folds to 5 cm.", 22],
  ["desk-chair", "Desk chair", "Chairs", 24900, "Adjusts in height, tilt and depth.", 5],
  ["stool", "Round stool", "Chairs", 4900, "Three legs, so that it never wobbles.", 14],
  ["rocking-chair", "Rocking chair", "Chairs", 29900, "Bent ash, with a sheepskin.", 2],
  ["fern", "Boston fern", "Plants", 1900, "Likes shade and moist soil.", 18],
  ["cactus", "Barrel cactus", "Plants", 1100, "Water it once a month.", 33],
  ["monstera", "Monstera", "Plants", 3400, "Grows large leaves within a year.", 9],
  ["olive-tree", "Olive tree", "Plants", 7900, "Four years old, for a sunny balcony.", 3],
  ["basil", "Pot of basil", "Plants", 400, "Organic, from a farm nearby.", 60],
].map(([id, name, category, price, description, stock]) => ({
  id: id as string,
  name: name as string,
  category: category as Category,
  price: price as number,
  description: description as string,
  stock: stock as number,
}));

export function findProduct(id: string): Product | undefined {
  return products.find((product) => product.id === id);
}

export interface Filters {
  readonly query: string;
  readonly category: string;
  /** In whole euros. "" for no limit. */
  readonly maxPrice: string;
  readonly inStock: boolean;
  readonly sort: string;
}

export const noFilters: Filters = {
  query: "",
  category: "",
  maxPrice: "",
  inStock: false,
  sort: "name",
};

export function filterProducts({ query, category, maxPrice, inStock, sort }: Filters): Product[] {
  const words = query.trim().toLowerCase();
  const limit = Number.parseFloat(maxPrice) * 100;
  return products
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words))
    .filter((product) => category === "" || product.category === category)
    .filter(({ price }) => Number.isNaN(limit) || price <= limit)
    .filter(({ stock }) => !inStock || stock > 0)
    .toSorted((a, b) => (sort === "price" ? a.price - b.price : a.name.localeCompare(b.name)));
}

export function formatPrice(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}
