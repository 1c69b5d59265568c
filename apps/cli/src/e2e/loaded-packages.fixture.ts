// Given to Node by --import: tells on standard error, at the end, which packages were loaded. A
// file of the built program names the packages that it contains.
import { registerHooks } from "node:module";

const packages = new Set<string>();
const packageOf = (path: string) => {
  const [, installed] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  const [, own = "node"] = /(?:packages|apps)\/([^/]+)/.exec(path) ?? [];
  return installed ?? own;
};
/** Node passes the source of a module as text or as bytes. */
const sourceText = (source: string | ArrayBuffer | NodeJS.TypedArray | undefined): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source);

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const regions = url.includes("/apps/cli/dist/")
      ? [...sourceText(loaded.source).matchAll(/^\/\/#region (?!\\0)(.+)$/gm)].map(
          ([, path = ""]) => path,
        )
      : [];
    for (const path of [url, ...regions]) packages.add(packageOf(path));
    return loaded;
  },
});
process.on("exit", () => process.stderr.write(`loaded: ${[...packages].toSorted().join(" ")}\n`));
