import { omitUndefined } from "@bron/protocol";
import type { Frame } from "../frame.ts";
import type {
  Attachment,
  DocumentKind,
  HeadLine,
  ImageInfo,
  Language,
  PageLayout,
  ParsedDocument,
} from "../parsed-document.ts";

const maxWarnings = 20;
const maxLayouts = 20;
const maxHeadLines = 20;

type Opened = Omit<Extract<Frame, { type: "open" }>, "type">;

/** A document that is still being received. */
export interface DocumentDraft {
  take(frame: Frame): void;
  /** Starts an attachment. */
  attach(file: Opened): DocumentDraft;
  end(problem: string | undefined): void;
  problem(): string | undefined;
  /** Undefined before the kind is known. */
  document(): ParsedDocument | undefined;
}

export function createDraft(): DocumentDraft {
  let kind: DocumentKind | undefined;
  let pageCount: number | undefined;
  let language: Language | undefined;
  let problem: string | undefined;
  let truncated = false;
  const pages = new Map<number, string>();
  const tables = new Map<string, string[][]>();
  const texts: string[] = [];
  const warnings: string[] = [];
  const layouts: PageLayout[] = [];
  const head: HeadLine[] = [];
  let image: ImageInfo | undefined;
  const attached: { readonly file: Opened; readonly draft: DocumentDraft }[] = [];

  return {
    take(frame) {
      if (frame.type === "kind") [kind, pageCount] = [frame.kind, frame.pageCount];
      if (frame.type === "cut") truncated = true;
      if (frame.type === "warning" && warnings.length < maxWarnings) warnings.push(frame.message);
      if (frame.type === "text") texts.push(frame.text);
      if (frame.type === "page")
        pages.set(frame.number, (pages.get(frame.number) ?? "") + frame.text);
      if (frame.type === "layout" && layouts.length < maxLayouts) layouts.push(omitType(frame));
      if (frame.type === "head" && head.length < maxHeadLines) head.push(omitType(frame));
      if (frame.type === "image") image = omitType(frame);
      if (frame.type === "rows") addRows(tables, frame.table, frame.rows);
      if (frame.type === "language") language = { code: frame.code, confidence: frame.confidence };
    },
    attach({ name, mediaType, byteCount }) {
      const draft = createDraft();
      attached.push({ file: { name, mediaType, byteCount }, draft });
      return draft;
    },
    end(why) {
      problem = why;
    },
    problem: () => problem,
    document() {
      if (kind === undefined) return undefined;
      const parts = {
        pages: [...pages].map(([number, text]) => ({ number, text })),
        tables: [...tables].map(([name, rows]) => ({ name, rows })),
      };
      const text =
        kind === "pdf"
          ? [...pages.values()].join("\n\n")
          : texts.length > 0
            ? texts.join("")
            : parts.tables.map(writeTable).join("\n\n");
      const extras = {
        ...omitUndefined({ pageCount, language, image }),
        ...(layouts.length === 0 ? {} : { layouts }),
        ...(head.length === 0 ? {} : { head }),
        ...(attached.length === 0 ? {} : { attachments: attached.map(asAttachment) }),
      };
      return { kind, ...parts, text, truncated, warnings, ...extras };
    },
  };
}

function omitType<F extends Frame>({ type: _, ...rest }: F): Omit<F, "type"> {
  return rest;
}

function asAttachment({
  file,
  draft,
}: {
  readonly file: Opened;
  readonly draft: DocumentDraft;
}): Attachment {
  const [document, problem] = [draft.document(), draft.problem()];
  return { ...file, ...omitUndefined({ document, problem }) };
}

function addRows(tables: Map<string, string[][]>, name: string, added: readonly string[][]): void {
  const rows = tables.get(name) ?? [];
  tables.set(name, rows);
  // Pushed one by one, because the number of call arguments is limited.
  for (const row of added) rows.push(row);
}

function writeTable({ rows }: { readonly rows: readonly (readonly string[])[] }): string {
  return rows.map((row) => row.join("\t")).join("\n");
}
