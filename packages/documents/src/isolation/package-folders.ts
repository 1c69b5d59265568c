import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folders of packages and of all that they depend on, as Node finds them from `from`. */
export function packageFolders(names: readonly string[], from: string): string[] {
  const found = new Set<string>();
  const visit = (name: string, start: string): void => {
    const folder = findPackage(name, start);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies)) visit(dependency, folder);
  };
  for (const name of names) visit(name, from);
  return [...found];
}

function findPackage(name: string, start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}
