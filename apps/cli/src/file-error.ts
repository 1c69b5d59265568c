import { BronError, messageOf } from "@bron/core";
import { codeOf } from "@bron/files";

/** Explains why a file that the user named cannot be read or written. Other errors stay as they are. */
export function fileError(error: unknown, path: string): unknown {
  if (BronError.is(error)) return error;
  const code = codeOf(error);
  if (code === "ENOSPC")
    return new BronError("disk_full", `No space left to write ${path}. Nothing was changed.`, {
      cause: error,
    });
  if (
    code === "ENOENT" ||
    code === "EACCES" ||
    code === "EISDIR" ||
    code === "ENOTDIR" ||
    code === "EEXIST"
  )
    return new BronError("invalid_input", `Can't use ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  return error;
}
