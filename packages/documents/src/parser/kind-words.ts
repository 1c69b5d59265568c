import type { DocumentKind } from "../parsed-document.ts";

export const kindWords: Readonly<Record<DocumentKind, string>> = {
  pdf: "a PDF",
  docx: "a Word document",
  xlsx: "an XLSX workbook",
  csv: "a CSV table",
  html: "an HTML page",
  eml: "an email",
  ics: "a calendar",
  image: "an image",
  text: "plain text",
};
