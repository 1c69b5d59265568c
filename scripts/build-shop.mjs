// Builds the two shops that need it, if their sources are newer.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { newestIn, timeOf } from "./newest-in.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shop = join(root, "apps", "shop");

const built = await timeOf(join(shop, "dist", "vue.js"));
const newest = await newestIn(join(shop, "src"));
if (built < newest) {
  const { build } = await import(
    pathToFileURL(join(root, "node_modules", "vite", "dist", "node", "index.js")).href
  );
  for (const [name, entry] of [
    ["react", "react/start.tsx"],
    ["vue", "vue/start.ts"],
  ])
    await build({
      root: shop,
      configFile: false,
      logLevel: "warn",
      define: {
        "process.env.NODE_ENV": JSON.stringify("production"),
        __VUE_OPTIONS_API__: "false",
        __VUE_PROD_DEVTOOLS__: "false",
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
      },
      build: {
        outDir: join(shop, "dist"),
        emptyOutDir: false,
        lib: { entry: join(shop, "src", entry), formats: ["es"], fileName: () => `${name}.js` },
      },
    });
}
