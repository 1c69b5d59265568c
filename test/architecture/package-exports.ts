import { readText } from "./source-tree.ts";
import type { Workspace } from "./workspaces.ts";

/** The file that lists what each index exports: a package, then its names, indented. */
export const pinnedExportsPath = "test/architecture/package-exports.txt";

export function readPinnedExports(): ReadonlySet<string> {
  const pinned = new Set<string>();
  let owner = "";
  for (const line of readText(pinnedExportsPath).split("\n")) {
    if (line.startsWith("  ")) pinned.add(`${owner} exports ${line.trim()}`);
    else owner = line;
  }
  return pinned;
}

/** What the indexes of the workspaces export, in the same form. */
export function readExports(
  workspaces: readonly Workspace[],
  files: readonly string[],
): ReadonlySet<string> {
  const indexes = workspaces.flatMap(({ folder, manifest }) => {
    const path = `${folder}/src/index.ts`;
    return files.includes(path) ? [{ owner: manifest.name, text: readText(path) }] : [];
  });
  return new Set(
    indexes.flatMap(({ owner, text }) =>
      exportedNames(text).map((name) => `${owner} exports ${name}`),
    ),
  );
}

/** An index contains only named exports from other modules. */
function exportedNames(text: string): string[] {
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((entry) =>
      entry
        .trim()
        .replace(/^type /, "")
        .replace(/^.* as /, ""),
    )
    .filter((name) => name !== "");
}
