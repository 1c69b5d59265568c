import { BronError, messageOf } from "@bron/core";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a segment of the path is a file, not a folder",
  EEXIST: "it is a file, not a folder",
  ENOENT: "it does not exist and can't be created",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "the path is too long",
};

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

export function saysDiskFull(text: string): boolean {
  return /No space left on device|Disk quota exceeded/.test(text);
}

export function diskFull(path: string, cause?: unknown): BronError {
  return new BronError(
    "disk_full",
    `No disk space is left for the database in ${path}. Free up space and start again. No data was lost.`,
    {
      details: { path },
      cause,
    },
  );
}

export function homeUnusable(path: string, reason: string, cause?: unknown): BronError {
  return new BronError("home_unusable", `Bron can't store its data in ${path}: ${reason}`, {
    details: { path },
    cause,
  });
}

/**
 * Translates file system errors that occur while a home is opened. Errors of Bron pass through
 * unchanged.
 */
export function asOpenFailure(error: unknown, home: string): BronError {
  if (BronError.is(error)) return error;
  const code = errnoOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(home, error);
  if (code === undefined)
    return new BronError(
      "postgres_failed",
      `The embedded Postgres of ${home} failed: ${messageOf(error)}`,
      { cause: error },
    );
  const path =
    error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : home;
  const where = path === home ? "" : ` (at ${path})`;
  return homeUnusable(
    home,
    `${reasons[code] ?? messageOf(error)}${where}. Set BRON_HOME to a writable folder.`,
    error,
  );
}
