// The npm workspaces and their manifests.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readText, root } from "./source-tree.ts";

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
}

export interface Workspace {
  /** For example "packages/core". */
  readonly folder: string;
  readonly manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readText(join(folder, "package.json"))) as Manifest;
}

export function readWorkspaces(): Workspace[] {
  return ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "package.json")))
      .map((folder) => ({ folder, manifest: readManifest(folder) })),
  );
}
