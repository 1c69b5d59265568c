import { BronError, messageOf } from "@bron/core";
import { randomBytes } from "node:crypto";
import { access, chmod, constants, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "it is a file, not a folder",
};

/** The embedded Postgres of root runs as another user, which must be able to enter the home. */
const homeMode = process.getuid?.() === 0 ? 0o711 : 0o700;
const privateMode = 0o700;

/** Makes the home, and what is missing above it. Throws home_unusable or disk_full. */
export async function ensureHome(path: string): Promise<void> {
  await ensure(path, homeMode);
}

/** Makes a folder in the home that only its user may enter, also if an older Bron made it for others too. Throws home_unusable or disk_full. */
export async function ensureFolder(path: string): Promise<void> {
  await ensure(path, privateMode);
  await chmod(path, privateMode).catch(() => undefined);
}

async function ensure(path: string, mode: number): Promise<void> {
  try {
    await makeFolders(path, mode);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw asHomeFailure(error, path);
  }
}

/** What the file system throws when something is written to the home, as home_unusable or disk_full. Errors of ours pass through. */
export function asHomeFailure(error: unknown, path: string): BronError {
  if (BronError.is(error)) return error;
  const options = { details: { path }, cause: error };
  if (["ENOSPC", "EDQUOT"].includes(codeOf(error)))
    return new BronError(
      "disk_full",
      `There is no space left for Bron's data in ${path}. Free some space and start again; nothing was lost.`,
      options,
    );
  return new BronError(
    "home_unusable",
    `Bron cannot keep its data in ${path}: ${reasons[codeOf(error)] ?? messageOf(error)}.`,
    options,
  );
}

/** Not `recursive: true`: in folders such as /proc, Node 24 then loops for ever. */
async function makeFolders(path: string, mode: number, isLastTry = false): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    const above = await stat(dirname(path)).catch(() => undefined);
    // Someone else may have made it a moment ago.
    if (above && isLastTry) throw error;
    if (!above) await makeFolders(dirname(path), homeMode);
    await makeFolders(path, mode, true);
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
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
