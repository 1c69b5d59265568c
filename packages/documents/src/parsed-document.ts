export const documentKinds = [
  "pdf",
  "docx",
  "xlsx",
  "csv",
  "html",
  "eml",
  "ics",
  "image",
  "text",
] as const;
export type DocumentKind = (typeof documentKinds)[number];

export interface Page {
  readonly number: number;
  readonly text: string;
}

export interface Table {
  /** The sheet's name; "table 2" for DOCX and HTML, "events" for ICS, empty for CSV. */
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** A file inside of a file: what a mail carries. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly byteCount: number;
  /** As far as it was read. */
  readonly document?: ParsedDocument;
  /** Why it was not read, or not to its end. */
  readonly problem?: string;
}

/** What a file says. All of it is untrusted, and hidden, white and tiny text may be in it; HTML leaves that out and says so. */
export interface ParsedDocument {
  readonly kind: DocumentKind;
  /** PDF only. */
  readonly pages: readonly Page[];
  /** The tables of CSV, XLSX, DOCX, HTML and ICS. Those of the last three stand in the text too, row by row. */
  readonly tables: readonly Table[];
  /** All of it but the attachments, joined: pages by blank lines, cells by tabs, rows by line breaks. */
  readonly text: string;
  /** The file says more than this. */
  readonly truncated: boolean;
  /** For people and models: what was odd about the file, or left out. */
  readonly warnings: readonly string[];
  /** PDF only: pages of the file, read or not. */
  readonly pageCount?: number;
  /** Of a text that is long enough to tell. */
  readonly language?: Language;
  /** EML only, in the order of the mail. */
  readonly attachments?: readonly Attachment[];
}
