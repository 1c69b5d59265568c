export const imageFormats = ["PNG", "JPEG", "GIF", "WebP"] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** The format as a value of `fileContents`. */
export function contentOf(format: ImageFormat): "png" | "jpeg" | "gif" | "webp" {
  return format.toLowerCase() as "png" | "jpeg" | "gif" | "webp";
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, 16),
  ).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (start.startsWith("\xff\xd8\xff")) return "JPEG";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "GIF";
  return start.startsWith("RIFF") && start.slice(8, 12) === "WEBP" ? "WebP" : undefined;
}

/**
 * Reads the size that the header declares, without decoding. Undefined if the header is incomplete.
 */
export function imageSize(bytes: Uint8Array, format: ImageFormat): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return sizeReaders[format](view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const sizeReaders: Readonly<Record<ImageFormat, (view: DataView) => ImageSize | undefined>> = {
  PNG: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  GIF: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  JPEG: jpegSize,
  WebP: webpSize,
};

/** Reads the first segment that starts a frame: C0 to CF, except for three that are tables. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // A marker may be padded with any number of FF bytes.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    else at += 2 + view.getUint16(at + 2);
  }
}

/** Handles the three formats: lossy, lossless, and extended, which declares its canvas. */
function webpSize(view: DataView): ImageSize | undefined {
  const form = view.getUint8(15);
  if (form === 0x20)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (form === 0x4c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const canvas = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
  return form === 0x58 ? { width: canvas(24), height: canvas(27) } : undefined;
}
