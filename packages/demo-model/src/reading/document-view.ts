import { isObject } from "../wire.ts";

/** The output of a document tool, read defensively. */
export interface DocumentView {
  readonly text: string;
  readonly tables: readonly TableView[];
  readonly isTruncated: boolean;
  readonly warnings: readonly string[];
}

export interface TableView {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

export function readDocumentView(value: unknown): DocumentView {
  if (typeof value === "string")
    return { text: value, tables: [], isTruncated: false, warnings: [] };
  if (!isObject(value)) return { text: "", tables: [], isTruncated: false, warnings: [] };
  const pages = listOf(value["pages"]).map((page) =>
    isObject(page) ? textOf(page["text"]) : textOf(page),
  );
  return {
    text:
      typeof value["text"] === "string" && value["text"] !== ""
        ? value["text"]
        : pages.join("\n\n"),
    tables: listOf(value["tables"])
      .map(readTable)
      .filter(({ rows }) => rows.length > 0),
    isTruncated: value["truncated"] === true || value["partial"] === true,
    warnings: listOf(value["warnings"])
      .map(textOf)
      .filter((warning) => warning !== ""),
  };
}

function readTable(table: unknown): TableView {
  const rows = isObject(table)
    ? [
        ...listOf(table["header"])
          .slice(0, 1)
          .map(() => table["header"]),
        ...listOf(table["rows"]),
      ]
    : listOf(table);
  return {
    name: isObject(table) ? textOf(table["name"]) : "",
    rows: rows.map((row) => listOf(row).map(textOf)),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
}
