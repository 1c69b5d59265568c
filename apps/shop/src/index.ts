export { createShop, type Shop, type ShopOptions } from "./create-shop.ts";
export { listen, type RunningShop } from "./listen.ts";
