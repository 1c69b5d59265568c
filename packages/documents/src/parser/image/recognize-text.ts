import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { contentOf, type ImageFormat } from "./image-size.ts";

interface RecognizedText {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
}

/** The parts of tesseract.js that are used. The package is optional. */
interface Tesseract {
  createWorker(
    language: string,
    engine: number,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    recognize(image: Buffer): Promise<{ readonly data: RecognizedText }>;
    terminate(): Promise<unknown>;
  }>;
}

const lstmOnly = 1;

/**
 * Runs Tesseract, if installed, with the language data of its npm package. Nothing is downloaded.
 */
export async function recognizeText(
  bytes: Uint8Array,
  format: ImageFormat,
  output: Output,
): Promise<RecognizedText> {
  const installed = findTesseract();
  if (!installed) {
    throw failure({ code: "ocr_missing", content: contentOf(format) });
  }
  output.progress(0, 100);
  const logger = ({ progress }: { readonly progress: number }) =>
    output.progress(Math.round(Math.min(1, Math.max(0, progress)) * 100), 100);
  const worker = await installed.tesseract.createWorker("eng", lstmOnly, {
    langPath: installed.langPath,
    gzip: true,
    cacheMethod: "none",
    logger,
    errorHandler: () => {},
  });
  try {
    const { data } = await worker.recognize(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
    return { text: data.text, confidence: data.confidence };
  } catch {
    throw failure({ code: "image_unusual" });
  } finally {
    await worker.terminate();
  }
}

/** Undefined unless both packages are installed and readable. */
function findTesseract(): { readonly tesseract: Tesseract; readonly langPath: string } | undefined {
  const require = createRequire(import.meta.url);
  try {
    const langPath = join(
      dirname(require.resolve("@tesseract.js-data/eng/package.json")),
      "4.0.0_best_int",
    );
    const tesseract: unknown = require("tesseract.js");
    return isTesseract(tesseract) ? { tesseract, langPath } : undefined;
  } catch {
    return undefined;
  }
}

function isTesseract(value: unknown): value is Tesseract {
  return (
    typeof value === "object" &&
    value !== null &&
    "createWorker" in value &&
    typeof value.createWorker === "function"
  );
}
