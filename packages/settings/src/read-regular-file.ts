import { codeOf } from "@bron/files";
import { constants, lstat, open } from "node:fs/promises";

export type FileRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "it is a symbolic link that leads to itself or was replaced by one",
  ENXIO: "it is not a regular file",
  EISDIR: "it is not a regular file",
};

export const notRegular = "it is not a regular file";

/**
 * Reads a file once, through one handle, so that the bytes are those of one file even if its path
 * is replaced meanwhile. Does not wait for a FIFO or a device, and never throws.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<FileRead> {
  try {
    // Opening a device can have consequences, so the kind is checked before and after.
    const before = await lstat(path);
    if (!before.isFile()) return { kind: "refused", reason: notRegular };
    const file = await open(
      path,
      // Windows has neither flag.
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { kind: "refused", reason: notRegular };
      if (stats.size > maxBytes)
        return { kind: "refused", reason: `it is larger than ${maxBytes / 1024} KB` };
      // One byte more than the size shows that the file grew.
      const buffer = new Uint8Array(stats.size + 1);
      let length = 0;
      for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead)
        ({ bytesRead } = await file.read(buffer, length, buffer.length - length));
      return length > stats.size
        ? { kind: "refused", reason: "it grew while it was read" }
        : { kind: "read", bytes: buffer.slice(0, length) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return asFailure(error);
  }
}

export function asFailure(error: unknown): Exclude<FileRead, { kind: "read" }> {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
  return { kind: "refused", reason: reasons[code] ?? (code || "it can't be read") };
}
