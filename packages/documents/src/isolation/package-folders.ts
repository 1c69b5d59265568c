import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Folders of the packages and of all their dependencies, as Node resolves them from `from`.
 * Includes symbolic links and their targets.
 */
export function packageFolders(names: readonly string[], from: string): string[] {
  const found = new Set<string>();
  const visit = (name: string, start: string): void => {
    const location = findPackage(name, start);
    if (location === undefined || found.has(location)) return;
    const folder = realpathSync(location);
    found.add(location).add(folder);
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies)) visit(dependency, folder);
  };
  for (const name of names) visit(name, from);
  return [...found];
}

function findPackage(name: string, start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}
