import { failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { imageFormat, imageSize } from "./image-size.ts";
import { recogniseText } from "./recognise-text.ts";

/** Recognising takes about 13 bytes for each pixel; more than this would not fit into the process. */
const maxPixels = 20_000_000;
/** Below this, letters were guessed rather than seen. */
const goodConfidence = 60;

/** The text that an image shows, as far as it can be recognised. */
export async function readImage(bytes: Uint8Array, output: Output): Promise<void> {
  const format = imageFormat(bytes);
  const size = format && imageSize(bytes, format);
  if (!size) throw damaged();
  const { width, height } = size;
  if (width * height > maxPixels) {
    throw failure(
      "too_large",
      `The image has ${width} by ${height} pixels, and ${maxPixels.toLocaleString("en")} in all are the most. Ask for a smaller one.`,
    );
  }
  const { text, confidence } = await recogniseText(bytes, format, output);
  output.kind("image");
  output.text(text.trimEnd());
  if (text.trim() === "") output.warn("No text was recognised in the image.");
  else if (confidence < goodConfidence)
    output.warn(
      `The text was recognised in an image with ${Math.round(confidence)} % confidence: letters and digits may be wrong.`,
    );
  else output.warn("The text was recognised in an image: single letters and digits may be wrong.");
}

function damaged() {
  return failure(
    "invalid_input",
    "The image is damaged or not complete, and cannot be read. Ask for the file again.",
  );
}
