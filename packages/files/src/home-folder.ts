import { BronError, messageOf } from "@bron/core";
import { randomBytes } from "node:crypto";
import { access, chmod, constants, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "part of the path is a file, not a folder",
  EEXIST: "it is a file, not a folder",
};

/**
 * When Bron runs as root, its embedded Postgres runs as another user, who must be able to enter the
 * home.
 */
const homeMode = process.getuid?.() === 0 ? 0o711 : 0o700;
const privateMode = 0o700;

/** Creates the home and its missing parent folders. Throws home_unusable or disk_full. */
export async function ensureHome(path: string): Promise<void> {
  await ensure(path, homeMode);
}

/**
 * Creates a private folder in the home. Also corrects the mode of a folder that an older version
 * created. Throws home_unusable or disk_full.
 */
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

/**
 * Converts a file system error of the home to home_unusable or disk_full. Returns a BronError
 * unchanged.
 */
export function asHomeFailure(error: unknown, path: string): BronError {
  if (BronError.is(error)) return error;
  const options = { details: { path }, cause: error };
  if (["ENOSPC", "EDQUOT"].includes(codeOf(error)))
    return new BronError(
      "disk_full",
      `No space left for Bron's data in ${path}. Free up disk space, then start again. No data was lost.`,
      options,
    );
  return new BronError(
    "home_unusable",
    `Bron can't store its data in ${path}: ${reasons[codeOf(error)] ?? messageOf(error)}.`,
    options,
  );
}

/** Does not use `recursive: true`, with which Node 24 loops forever in folders such as /proc. */
async function makeFolders(path: string, mode: number, isLastTry = false): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    const above = await stat(dirname(path)).catch(() => undefined);
    // Retries once, because another process may have created the parent in the meantime.
    if (above && isLastTry) throw error;
    if (!above) await makeFolders(dirname(path), homeMode);
    await makeFolders(path, mode, true);
  }
}

/** Replaces a file atomically: after a crash it has either the old or the new content. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
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
