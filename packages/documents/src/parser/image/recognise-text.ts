import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { failure } from "../failure.ts";
import type { Output } from "../output.ts";
import type { ImageFormat } from "./image-size.ts";

export interface RecognisedText {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
}

const lstmOnly = 1;

/** By Tesseract, if it is installed, with the language data of its npm package: nothing is fetched. */
export async function recogniseText(bytes: Uint8Array, format: ImageFormat, output: Output): Promise<RecognisedText> {
  const langPath = findLanguageData();
  if (langPath === undefined) {
    throw failure("invalid_input", `It is an image (${format}), and reading text in images is not installed. To add it: npm install tesseract.js @tesseract.js-data/eng`);
  }
  const { createWorker } = await import("tesseract.js");
  output.progress(0, 100);
  const logger = ({ progress }: { readonly progress: number }) => output.progress(Math.round(Math.min(1, Math.max(0, progress)) * 100), 100);
  const worker = await createWorker("eng", lstmOnly, { langPath, gzip: true, cacheMethod: "none", logger, errorHandler: () => {} });
  try {
    const { data } = await worker.recognize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { text: data.text, confidence: data.confidence };
  } catch {
    throw failure("invalid_input", "The image is damaged or of an unusual form, and cannot be read. Ask for it as PNG or JPEG.");
  } finally {
    await worker.terminate();
  }
}

/** Where both packages are found and may be read, else undefined. */
function findLanguageData(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve("tesseract.js");
    return join(dirname(resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
  } catch {
    return undefined;
  }
}
