import { failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { imageFormat, imageSize } from "./image-size.ts";
import { recognizeText } from "./recognize-text.ts";

/**
 * Text recognition takes about 13 bytes per pixel. A larger image would not fit into the process.
 */
const maxPixels = 20_000_000;
/** Below this, letters are mostly guesses. */
const goodConfidence = 60;

/** Reads the text in an image as far as it can be recognized. */
export async function readImage(bytes: Uint8Array, output: Output): Promise<void> {
  const format = imageFormat(bytes);
  const size = format && imageSize(bytes, format);
  if (!size) throw damaged();
  const { width, height } = size;
  if (width * height > maxPixels) {
    throw failure({ code: "image_too_large", width, height, maxPixels });
  }
  const { text, confidence } = await recognizeText(bytes, format, output);
  output.kind("image");
  output.text(text.trimEnd());
  if (text.trim() === "") output.warn("No text was recognized in the image.");
  else if (confidence < goodConfidence)
    output.warn(
      `The text was recognized in an image with ${Math.round(confidence)}% confidence. Letters and digits may be wrong.`,
    );
  else output.warn("The text was recognized in an image. Single letters and digits may be wrong.");
}

function damaged() {
  return failure({ code: "file_damaged", content: "image" });
}
