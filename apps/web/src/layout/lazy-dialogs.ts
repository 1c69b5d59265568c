import { createLazyPages } from "./lazy-pages.ts";

/** The dialogs of the shell. They are loaded when one opens, or when the browser is idle. */
export const dialogs = createLazyPages();

export const Palette = dialogs.page(() => import("./palette.tsx"), "Palette");
export const ShortcutsDialog = dialogs.page(
  () => import("./shortcuts-dialog.tsx"),
  "ShortcutsDialog",
);
