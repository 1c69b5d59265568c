import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Bundles a Node program with our packages and its libraries. Node needs much of a start to find
 * and read more than a thousand files, and the bundle has few.
 */
export async function bundle({ input, folder }) {
  const { build } = await import(
    pathToFileURL(join(root, "node_modules", "vite", "dist", "node", "index.js")).href
  );
  await build({
    root: dirname(input),
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    plugins: [leaveOptionalLibraries(), keepLocations(folder)],
    build: {
      ssr: true,
      target: "node22",
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input,
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
}

/** A library may ask for others that are not installed, and does without them. */
function leaveOptionalLibraries() {
  return {
    name: "leave-optional-libraries",
    async resolveId(id, importer, options) {
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      return found ?? { id, external: true };
    },
  };
}

/** Our code finds files relative to its own source file, so the bundle keeps that location. */
function keepLocations(folder) {
  return {
    name: "keep-locations",
    enforce: "pre",
    transform(code, id) {
      if (id.includes("node_modules") || !code.includes("import.meta.url")) return undefined;
      const source = JSON.stringify(relative(folder, id).replaceAll("\\", "/"));
      return code.replaceAll("import.meta.url", `new URL(${source}, import.meta.url).href`);
    },
  };
}
