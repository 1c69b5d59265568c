// Given to Node by --import: tells on standard error, at the end, which packages were loaded.
import { registerHooks } from "node:module";

const packages = new Set<string>();
registerHooks({
  load(url, context, next) {
    const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    const [, own = "node"] = /\/(?:packages|apps)\/([^/]+)/.exec(url) ?? [];
    packages.add(installed ?? own);
    return next(url, context);
  },
});
process.on("exit", () => process.stderr.write(`loaded: ${[...packages].toSorted().join(" ")}\n`));
