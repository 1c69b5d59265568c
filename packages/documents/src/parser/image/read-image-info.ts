import { failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { imageFormat, imageSize } from "./image-size.ts";

/** A browser decodes a larger image slowly, or not at all. */
const maxShownPixels = 50_000_000;

/** Verifies the format and the declared size, without decoding. */
export function readImageInfo(bytes: Uint8Array, output: Output): void {
  const format = imageFormat(bytes);
  const size = format && imageSize(bytes, format);
  if (!size || size.width === 0 || size.height === 0)
    throw failure({ code: "file_damaged", content: "image" });
  const { width, height } = size;
  if (width * height > maxShownPixels)
    throw failure({ code: "image_too_large", width, height, maxPixels: maxShownPixels });
  output.kind("image");
  output.image({ format, width, height });
}
