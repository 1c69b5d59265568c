import { BronError, type FilePreviewer } from "@bron/core";
import {
  actionFailureReasonSchema,
  type FileFlaw,
  type FilePreview,
  type NoPreviewReason,
} from "@bron/protocol";
import { previewLimits } from "./limits.ts";
import { contentOf } from "./parser/image/image-size.ts";
import { parseDocument } from "./parse-document.ts";
import type { ParsedDocument } from "./parsed-document.ts";

const maxRows = 200;
const maxColumns = 40;
const maxTables = 10;

/** Previews an untrusted file. The parser's process reads it, with smaller limits. */
export const previewFile: FilePreviewer = async (file) => {
  try {
    return toPreview(await parseDocument({ ...file, limits: previewLimits, isPreview: true }));
  } catch (error) {
    if (!BronError.is(error)) throw error;
    const partial = error.details["partial"] as ParsedDocument | undefined;
    return partial
      ? toPreview({ ...partial, truncated: true })
      : { kind: "none", reason: reasonOf(error) };
  }
};

function toPreview(document: ParsedDocument): FilePreview {
  const { kind, text, truncated, image } = document;
  switch (kind) {
    case "pdf":
      return pagesOf(document);
    case "csv":
    case "xlsx":
      return tablesOf(document);
    case "eml":
      return mailOf(document);
    case "image": {
      if (!image) return { kind: "none", reason: "failed" };
      const { format, width, height } = image;
      return { kind: "image", mediaType: `image/${contentOf(format)}`, width, height };
    }
    default:
      return { kind: "text", text, isCut: truncated };
  }
}

function pagesOf({ layouts = [], pageCount = 0, truncated }: ParsedDocument): FilePreview {
  return {
    kind: "pages",
    pageCount,
    pages: layouts.map(({ texts, ...page }) => ({ ...page, texts: [...texts] })),
    isCut: truncated || layouts.length < pageCount,
  };
}

function tablesOf({ tables, truncated }: ParsedDocument): FilePreview {
  const isCut =
    truncated ||
    tables.length > maxTables ||
    tables.some(({ rows }) => rows.length > maxRows || rows.some(isWide));
  return {
    kind: "tables",
    tables: tables.slice(0, maxTables).map(({ name, rows }) => ({
      name,
      rows: rows.slice(0, maxRows).map((row) => row.slice(0, maxColumns)),
    })),
    isCut,
  };
}

function isWide(row: readonly string[]): boolean {
  return row.length > maxColumns;
}

function mailOf({ head = [], text, warnings, attachments = [], truncated }: ParsedDocument) {
  return {
    kind: "mail",
    head: [...head],
    text,
    warnings: [...warnings],
    attachments: attachments.map(({ name, byteCount }) => ({ name, sizeBytes: byteCount })),
    isCut: truncated,
  } satisfies FilePreview;
}

function reasonOf(error: BronError): NoPreviewReason {
  const { data: why } = actionFailureReasonSchema.safeParse(error.details["why"]);
  if (why?.code === "document_unreadable") return reasonOfFlaw(why.flaw);
  if (why?.code === "document_empty") return "damaged";
  return why?.code === "document_too_large" || why?.code === "document_needs_memory"
    ? "too_large"
    : "failed";
}

function reasonOfFlaw({ code }: FileFlaw): NoPreviewReason {
  switch (code) {
    case "file_locked":
      return "locked";
    case "file_unsupported":
    case "office_format_old":
      return "unsupported";
    case "archive_crowded":
    case "archive_too_large":
    case "image_too_large":
      return "too_large";
    case "file_damaged":
    case "calendar_cut_off":
      return "damaged";
    default:
      return "failed";
  }
}
