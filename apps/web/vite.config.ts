import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The server's policy allows neither inline scripts nor data: modules.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    outDir: "dist",
    emptyOutDir: true,
  },
});
