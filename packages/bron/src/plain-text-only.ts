import type { FileCheck } from "@bron/core";

/** For a Bron that was not told what else it can read. */
export const plainTextOnly: FileCheck = {
  announced: ({ contentType }) =>
    contentType.toLowerCase() === "text/plain"
      ? undefined
      : `Files of the type ${contentType} are not read here, only text/plain.`,
  content: ({ bytes }) =>
    bytes.includes(0) ? "It is announced as text/plain, but it is a binary file." : undefined,
};
