import { createLazyPages } from "./lazy-pages.ts";

/** What the first page may need later. It is loaded when it is shown, or when the browser is idle. */
export const components = createLazyPages();

export const Palette = components.page(() => import("./palette.tsx"), "Palette");
export const ShortcutsDialog = components.page(
  () => import("./shortcuts-dialog.tsx"),
  "ShortcutsDialog",
);
export const NeedsYou = components.page(() => import("../home/needs-you.tsx"), "NeedsYou");
