import { describe, expect, it } from "vitest";
import { invoicePng, pngBomb } from "../../fixtures/image-files.fixture.ts";
import { imageFormat, imageSize } from "./image-size.ts";

const bytes = (text: string, ...rest: readonly number[]) =>
  Buffer.concat([Buffer.from(text, "latin1"), Buffer.from(rest)]);
const jpeg = bytes(
  "\xff\xd8\xff\xe0",
  0,
  4,
  1,
  2,
  0xff,
  0xff,
  0xc4,
  0,
  3,
  9,
  0xff,
  0xc2,
  0,
  17,
  8,
  0x01,
  0x00,
  0x02,
  0x03,
);
const webp = (form: string, ...rest: readonly number[]) =>
  bytes(`RIFF\0\0\0\0WEBPVP8${form}`, 0, 0, 0, 0, ...rest);

const cases: readonly (readonly [string, Buffer, string, number, number])[] = [
  ["a PNG", invoicePng(), "PNG", 380, 100],
  ["a PNG that is a bomb", pngBomb(), "PNG", 60_000, 60_000],
  ["a GIF", bytes("GIF89a", 0x10, 0x01, 0x20, 0x00), "GIF", 272, 32],
  ["a JPEG with tables before its frame", jpeg, "JPEG", 515, 256],
  ["a lossy WebP", webp(" ", 0, 0, 0, 0x9d, 0x01, 0x2a, 0x2c, 0x01, 0x64, 0x00), "WebP", 300, 100],
  ["a lossless WebP", webp("L", 0x2f, 0x2b, 0xc1, 0x18, 0x00), "WebP", 300, 100],
  ["an extended WebP", webp("X", 0, 0, 0, 0, 0x2b, 0x01, 0, 0x63, 0, 0), "WebP", 300, 100],
];

describe("the size of an image", () => {
  it.for(cases)("%s is read from its header", ([, image, format, width, height]) => {
    const found = imageFormat(image);
    expect(found).toBe(format);
    expect(found && imageSize(image, found)).toEqual({ width, height });
  });

  it("is unknown if the header is truncated", () => {
    for (const [name, image] of cases.filter(
      ([, , format]) => format === "PNG" || format === "WebP",
    )) {
      const format = imageFormat(image);
      expect(format && imageSize(image.subarray(0, 20), format), name).toBeUndefined();
    }
    expect(imageSize(jpeg.subarray(0, 12), "JPEG")).toBeUndefined();
    expect(imageFormat(bytes("GIF8"))).toBeUndefined();
  });
});
