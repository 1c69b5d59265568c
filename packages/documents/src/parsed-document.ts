export type DocumentKind = "pdf" | "csv" | "xlsx" | "text";

export interface Page {
  readonly number: number;
  readonly text: string;
}

export interface Table {
  /** The sheet's name; empty for CSV. */
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** What a file says. All of it is untrusted: hidden, white and tiny text is in it too. */
export interface ParsedDocument {
  readonly kind: DocumentKind;
  /** PDF only. */
  readonly pages: readonly Page[];
  /** CSV and XLSX only. */
  readonly tables: readonly Table[];
  /** All of it, joined: pages by blank lines, cells by tabs, rows by line breaks. */
  readonly text: string;
  /** The file says more than this. */
  readonly truncated: boolean;
  /** For people and models: what was odd about the file, or left out. */
  readonly warnings: readonly string[];
  /** PDF only: pages of the file, read or not. */
  readonly pageCount?: number;
}
