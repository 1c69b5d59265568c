import { createHash } from "node:crypto";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const workerFile = "sw.js";

export default defineConfig({
  plugins: [react(), tailwindcss(), nameShellFiles()],
  // The server's policy allows neither inline scripts nor data: modules.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    outDir: "dist",
    emptyOutDir: true,
    rolldownOptions: {
      input: { index: "index.html", worker: "src/service-worker.ts" },
      output: {
        // The path of a service worker is fixed, and what it controls depends on it.
        entryFileNames: ({ name }) => (name === "worker" ? workerFile : "assets/[name]-[hash].js"),
      },
    },
  },
});

/** Tells the service worker which files the page consists of. */
function nameShellFiles(): Plugin {
  return {
    name: "bron-shell-files",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = Object.keys(bundle)
          .filter((name) => name.startsWith("assets/"))
          .toSorted();
        const worker = bundle[workerFile];
        if (worker?.type !== "chunk") throw new Error(`The build has no ${workerFile}.`);
        // Names contain hashes of the contents, so they change with each version.
        const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 16);
        worker.code = worker.code
          .replaceAll("__FILES__", JSON.stringify(files))
          .replaceAll("__VERSION__", JSON.stringify(version));
      },
    },
  };
}
