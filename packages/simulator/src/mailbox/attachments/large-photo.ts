import { createCipheriv } from "node:crypto";
import type { Attachment } from "./attachment.ts";

/** A camera image too large for most uses: the first bytes of a TIFF, then incompressible noise. */
export function largePhoto(filename: string, bytes: number): Attachment {
  return {
    filename,
    contentType: "image/tiff",
    bytes,
    make: () => {
      const key = Buffer.alloc(16, filename);
      const noise = createCipheriv("aes-128-ctr", key, Buffer.alloc(16)).update(
        Buffer.alloc(bytes - 8),
      );
      return Buffer.concat([Buffer.from("49492a0008000000", "hex"), noise]);
    },
  };
}
