import type { FileCheck } from "@bron/core";

/** The default for a runtime without document support. */
export const plainTextOnly: FileCheck = {
  announced: ({ contentType }) =>
    contentType.toLowerCase() === "text/plain"
      ? undefined
      : `Files of type ${contentType} aren't supported here, only text/plain.`,
  content: ({ bytes }) =>
    bytes.includes(0) ? "This is a binary file, not text/plain." : undefined,
};
