import type { DocumentKind } from "../parsed-document.ts";

/** The kind that a file claims by its media type, otherwise by its name. */
export function claimedKind({
  name,
  mediaType,
}: {
  readonly name?: string;
  readonly mediaType?: string;
}): DocumentKind | undefined {
  const type = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const ending = /\.([a-z0-9]+)$/i.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  return (
    kindByMediaType[type] ??
    (isImage(type) ? "image" : undefined) ??
    kindByEnding[ending] ??
    (type.startsWith("text/") ? "text" : undefined)
  );
}

/** SVG counts as text, not as an image. */
function isImage(type: string): boolean {
  return type.startsWith("image/") && !type.startsWith("image/svg");
}

const kindByMediaType: Readonly<Partial<Record<string, DocumentKind>>> = {
  "application/pdf": "pdf",
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.ms-word.document.macroenabled.12": "docx",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "message/rfc822": "eml",
  "text/calendar": "ics",
  "application/ics": "ics",
};

const kindByEnding: Readonly<Partial<Record<string, DocumentKind>>> = {
  pdf: "pdf",
  csv: "csv",
  tsv: "csv",
  xlsx: "xlsx",
  docx: "docx",
  docm: "docx",
  html: "html",
  htm: "html",
  xhtml: "html",
  eml: "eml",
  ics: "ics",
  ical: "ics",
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  txt: "text",
  md: "text",
  log: "text",
};
