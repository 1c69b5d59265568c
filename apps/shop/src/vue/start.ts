import { createApp } from "@vue/runtime-dom";
import { ShopPage } from "./shop-page.ts";

createApp(ShopPage).mount("#shop");
