import type { PlacedText } from "@bron/protocol";
import type { ImageFormat } from "./parser/image/image-size.ts";

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

interface Page {
  readonly number: number;
  readonly text: string;
}

interface Table {
  /** The sheet's name, "table 2" for DOCX and HTML, "events" for ICS, empty for CSV. */
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Texts of a PDF page at their places. Lengths are in points, from the top left. */
export interface PageLayout {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
}

/** A header line of a mail. */
export interface HeadLine {
  readonly name: string;
  readonly value: string;
}

/** What the header of an image declares. */
export interface ImageInfo {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
}

/** A file attached to a mail. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly byteCount: number;
  /** The content as far as it was read. */
  readonly document?: ParsedDocument;
  /** Why it was not read, or not read to the end. */
  readonly problem?: string;
}

/**
 * The content of a file. All of it is untrusted. It may include hidden, white or tiny text, which
 * only HTML leaves out with a warning.
 */
export interface ParsedDocument {
  readonly kind: DocumentKind;
  /** PDF only. */
  readonly pages: readonly Page[];
  /**
   * Tables of CSV, XLSX, DOCX, HTML and ICS. For the last three, the text contains them too, row by
   * row.
   */
  readonly tables: readonly Table[];
  /**
   * All text without attachments: pages joined by blank lines, cells by tabs, rows by line breaks.
   */
  readonly text: string;
  /** Whether the file contains more than this. */
  readonly truncated: boolean;
  /** What was unusual about the file or left out, for people and models. */
  readonly warnings: readonly string[];
  /** PDF only. Number of pages in the file, read or not. */
  readonly pageCount?: number;
  /** Only for texts that are long enough to detect it. */
  readonly language?: Language;
  /** EML only, in the order of the mail. */
  readonly attachments?: readonly Attachment[];
  /** Previews of PDF only. */
  readonly layouts?: readonly PageLayout[];
  /** Previews of EML only. In other documents, the text starts with these lines. */
  readonly head?: readonly HeadLine[];
  /** Previews of images only. */
  readonly image?: ImageInfo;
}
