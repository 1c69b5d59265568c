import type { ModelName } from "./model-name.ts";

const images = ["image/png", "image/jpeg", "image/webp"];
const imagesAndGif = [...images, "image/gif"];
const pdf = "application/pdf";

/** What an installation can say that a model accepts. */
export const fileGroups: Readonly<Record<string, readonly string[]>> = {
  none: [],
  image: images,
  pdf: [pdf],
  "image+pdf": [...images, pdf],
};

/** Claude 3 and later read images and PDFs, except for this one, which reads images only. */
const withoutPdf = /^claude-3-haiku/;

/**
 * The media types that a model accepts. An OpenAI-compatible server may run any model, so files are
 * sent to it only if the installation says so.
 */
export function acceptedFiles({ provider, modelId }: ModelName): readonly string[] {
  switch (provider) {
    case "gemini":
    case "vertex":
      return [...images, pdf];
    case "anthropic":
      return withoutPdf.test(modelId) ? imagesAndGif : [...imagesAndGif, pdf];
    case "openai":
    case "demo":
      return [];
  }
}
