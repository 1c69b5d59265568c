import type { NoPreviewReason } from "@bron/protocol";

export const previewWords = {
  /** Before the name of the file, for screen readers. */
  open: "Preview",
  download: "Download",
  close: "Close",
  content: "Content of the file",
  isCut: "This is the beginning. Download the file to see all of it.",
  textOnly: "Only the text of each page is shown, without pictures and lines.",
  noText: "This page has no text that can be shown. It may be scanned.",
  page: (number: number, count: number) => `Page ${number} of ${count}`,
  sheet: (number: number) => `Table ${number}`,
  emptyTable: "This table is empty.",
  emptyText: "This file has no text.",
  mailHead: "Email header",
  attachments: "Attachments",
  image: (name: string) => `Image ${name}`,
  notShown: "The browser can't show this image. Download the file to open it.",
  reasons: {
    unsupported: "There's no preview for this kind of file. Download it to open it.",
    too_large: "This file is too large for a preview. Download it to open it.",
    locked: "This file is protected with a password. Download it to open it.",
    damaged: "This file is damaged, so there's no preview.",
    failed: "The preview took too long or failed. Try again, or download the file.",
  } satisfies Record<NoPreviewReason, string>,
} as const;
