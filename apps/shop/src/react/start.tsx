import { createRoot } from "react-dom/client";
import { ShopPage } from "./shop-page.tsx";

const root = document.querySelector("#shop");
if (root) createRoot(root).render(<ShopPage />);
