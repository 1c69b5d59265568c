import { sha256 } from "@bron/core";
import { opendir, realpath, lstat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { asFailure, notRegular, readRegularFile } from "./read-regular-file.ts";

/**
 * The files of a folder that can change what Bron does. A feature that reads another file of a
 * folder adds it here, and reads it with `readTrustedFiles` only. The first match counts. A path
 * that ends with a slash is a folder with everything in it.
 */
const folderFileKinds: readonly { readonly path: string; readonly power: string }[] = [
  { path: ".bron/settings.json", power: "changes settings: the model, logs and caps" },
  { path: ".bron/hooks/", power: "runs commands on this computer" },
  { path: ".bron/mcp.json", power: "starts MCP servers, which run commands or reach addresses" },
  { path: ".bron/skills/", power: "tells the model how to work, and may contain programs" },
  { path: ".bron/agents/", power: "defines agents: their instructions, tools and models" },
  { path: ".bron/", power: "may be used by the other files of .bron" },
  { path: ".mcp.json", power: "starts MCP servers, which run commands or reach addresses" },
  { path: ".agents/skills/", power: "tells the model how to work, and may contain programs" },
  { path: ".claude/skills/", power: "tells the model how to work, and may contain programs" },
  { path: "BRON.md", power: "tells the model what to do" },
  { path: "AGENTS.md", power: "tells the model what to do" },
];

export const folderSettingsPath = ".bron/settings.json";

export interface FolderFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly digest: string;
  /** The bytes that were digested. Use these, and never read the file again. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the file could do if it counted. */
  readonly power: string;
}

export interface RefusedFile {
  readonly path: string;
  readonly reason: string;
}

export interface FolderSnapshot {
  /** The real path. */
  readonly folder: string;
  readonly files: readonly FolderFile[];
  /** Files that can never be trusted as they are. */
  readonly refused: readonly RefusedFile[];
}

const maxFileBytes = 1024 * 1024;
const maxTotalBytes = 16 * 1024 * 1024;
const maxEntries = 1_000;
const maxDepth = 10;

interface Collected {
  readonly root: string;
  readonly home: string;
  readonly files: FolderFile[];
  readonly refused: RefusedFile[];
  entries: number;
  bytes: number;
}

/**
 * Reads the files of a folder that can change what Bron does, each once. Starts nothing, follows no
 * link out of the folder, and reads a bounded amount. Throws if the folder does not exist.
 */
export async function readFolder(folder: string, home: string): Promise<FolderSnapshot> {
  const collected = await startAt(folder, home);
  for (const path of topPaths()) {
    if (path.endsWith("/")) await collectFolder(collected, path.slice(0, -1), 1);
    else await collectFile(collected, path);
  }
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  return {
    folder: collected.root,
    files: collected.files.toSorted(byPath),
    refused: collected.refused.toSorted(byPath),
  };
}

/** Reads one file of the list. The snapshot is empty if it does not exist. */
export async function readFolderFile(
  folder: string,
  home: string,
  path: string,
): Promise<FolderSnapshot> {
  const collected = await startAt(folder, home);
  await collectFile(collected, path);
  return { folder: collected.root, files: collected.files, refused: collected.refused };
}

async function startAt(folder: string, home: string): Promise<Collected> {
  return {
    root: await realpath(folder),
    home: await realpath(home).catch(() => resolve(home)),
    files: [],
    refused: [],
    entries: 0,
    bytes: 0,
  };
}

/** The paths of the list without those inside of another one. */
function topPaths(): string[] {
  const paths = folderFileKinds.map(({ path }) => path);
  return paths.filter((path) => !paths.some((other) => other !== path && isUnder(path, other)));
}

function isUnder(path: string, folder: string): boolean {
  return folder.endsWith("/") && path.startsWith(folder);
}

function powerOf(path: string): string {
  return (
    folderFileKinds.find((kind) => kind.path === path || isUnder(path, kind.path))?.power ?? ""
  );
}

/** In the owner's home folder, `.bron` is BRON_HOME, which is the owner's and not the folder's. */
function isInHome({ root, home }: Collected, path: string): boolean {
  const place = join(root, path);
  return place === home || place.startsWith(home + sep);
}

async function collectFolder(collected: Collected, path: string, depth: number): Promise<void> {
  if (isInHome(collected, path)) return;
  const refuse = (reason: string) => void collected.refused.push({ path, reason });
  try {
    const stats = await lstat(join(collected.root, path));
    if (stats.isSymbolicLink()) return refuse("it is a symbolic link in place of a folder");
    if (!stats.isDirectory()) return refuse("it is not a folder");
    if ((await realpath(join(collected.root, path))) !== join(collected.root, path))
      return refuse("part of its path is a symbolic link");
    if (depth > maxDepth) return refuse(`it has more than ${maxDepth} levels`);
    for await (const entry of await opendir(join(collected.root, path))) {
      collected.entries += 1;
      if (collected.entries > maxEntries) return refuse(`it has more than ${maxEntries} files`);
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory()) await collectFolder(collected, inner, depth + 1);
      else await collectFile(collected, inner);
    }
  } catch (error) {
    const failure = asFailure(error);
    if (failure.kind === "refused") refuse(failure.reason);
  }
}

async function collectFile(collected: Collected, path: string): Promise<void> {
  if (isInHome(collected, path)) return;
  const refuse = (reason: string) => void collected.refused.push({ path, reason });
  const place = await resolveInside(collected.root, path);
  if (place.kind === "missing") return;
  if (place.kind === "refused") return refuse(place.reason);
  const read = await readRegularFile(place.path, maxFileBytes);
  if (read.kind === "missing") return;
  if (read.kind === "refused") return refuse(read.reason);
  collected.bytes += read.bytes.length;
  if (collected.bytes > maxTotalBytes)
    return refuse(`the files are larger than ${maxTotalBytes / 1024 / 1024} MB together`);
  const digest = await sha256(read.bytes);
  collected.files.push({ path, digest, bytes: read.bytes, power: powerOf(path) });
}

/** A link to another file of the same folder is followed, because its bytes are what counts. */
async function resolveInside(
  root: string,
  path: string,
): Promise<{ kind: "found"; path: string } | Exclude<ReturnType<typeof asFailure>, undefined>> {
  try {
    const target = await realpath(join(root, path));
    const fromRoot = relative(root, target);
    if (fromRoot === ".." || fromRoot.startsWith(`..${sep}`) || resolve(root, fromRoot) !== target)
      return { kind: "refused", reason: "it is a symbolic link out of the folder" };
    return (await lstat(target)).isFile()
      ? { kind: "found", path: target }
      : { kind: "refused", reason: notRegular };
  } catch (error) {
    const failure = asFailure(error);
    // A link whose target is missing is not a missing file.
    const isLink = await lstat(join(root, path)).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    return failure.kind === "missing" && isLink
      ? { kind: "refused", reason: "it is a symbolic link to nothing" }
      : failure;
  }
}
