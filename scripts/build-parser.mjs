// Builds the program that parses documents if it was never built or if its sources are newer.
// Every document starts this program, and Node needs most of a start to remove the types from it.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { newestIn, timeOf } from "./newest-in.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documents = join(root, "packages", "documents");
const sources = join(documents, "src", "parser");
const target = join(documents, "dist", "parser");

if ((await timeOf(join(target, "child.js"))) < (await newestIn(sources))) {
  const { build } = await import(
    pathToFileURL(join(root, "node_modules", "vite", "dist", "node", "index.js")).href
  );
  await build({
    root: documents,
    configFile: false,
    logLevel: "warn",
    build: {
      ssr: true,
      target: "node22",
      outDir: target,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: ["child", "worker", "no-code-from-text", "no-network"].map((name) =>
          join(sources, `${name}.ts`),
        ),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  });
}
