import { BronError, messageOf } from "@bron/core";
import { randomBytes } from "node:crypto";
import { access, constants, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "it is a file, not a folder",
};

/** Makes a folder of the home, and what is missing above it. Throws home_unusable. */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new BronError("home_unusable", `Bron cannot keep its data in ${path}: ${reasons[codeOf(error)] ?? messageOf(error)}.`, { details: { path }, cause: error });
  }
}

/** Not `recursive: true`: in folders such as /proc, Node 24 then loops for ever. */
async function makeFolders(path: string, isLastTry = false): Promise<void> {
  try {
    // The embedded Postgres of root runs as another user, which must be able to enter.
    await mkdir(path, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    const above = await stat(dirname(path)).catch(() => undefined);
    // Someone else may have made it a moment ago.
    if (above && isLastTry) throw error;
    if (!above) await makeFolders(dirname(path));
    await makeFolders(path, true);
  }
}

/** The whole new content or the whole old one, whatever happens in between. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = join(dirname(path), `.draft-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
