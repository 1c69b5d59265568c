import type { FileCheck } from "@bron/core";

/** The default for a runtime without document support. */
export const plainTextOnly: FileCheck = {
  announced: ({ contentType }) =>
    contentType.toLowerCase() === "text/plain"
      ? undefined
      : { code: "file_type_unsupported", contentType, supported: ["text"] },
  content: ({ contentType, bytes }) =>
    bytes.includes(0) ? { code: "file_type_differs", contentType, content: "binary" } : undefined,
};
