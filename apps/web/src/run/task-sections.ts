import { uploadKind, type CardPayload } from "@bron/protocol";
import type { FileItem, Item, ToolItem, UnaskedItem, WordsItem } from "./item.ts";

/** What the page shows of a task, from top to bottom. */
interface TaskSections {
  /** The task itself, then what the owner said while it ran. */
  readonly words: readonly WordsItem[];
  /** What came with the task. */
  readonly attached: readonly FileItem[];
  /** What came with later words, by the key of the words. */
  readonly attachedLater: ReadonlyMap<string, readonly FileItem[]>;
  readonly answer: string | undefined;
  /** Files that are worth opening. Others are among the steps. */
  readonly files: readonly FileItem[];
  /** What waits in the mailbox and was not sent. */
  readonly drafts: readonly DraftCard[];
  /** What the owner decides or answers, at its own place while the task runs. */
  readonly asks: readonly Item[];
  /** Everything else that happened. */
  readonly steps: readonly Item[];
  /** The tool calls among them. */
  readonly calls: readonly ToolItem[];
}

export type DraftCard = CardPayload<"EmailDraftCard">;

/** Files that Bron made for itself, such as the text of a document. */
const workingFiles: ReadonlySet<string> = new Set([
  "pdf_summary",
  "document_text",
  "extracted_json",
  "web_page",
  "previous_version",
]);

const askingCards: ReadonlySet<string> = new Set([
  "ApprovalCard",
  "ReconnectCard",
  "UnknownEffectCard",
]);

/** Sorts the timeline of a task. After the end, only open doubts about effects stay outside the steps. */
export function sectionsOf(items: readonly Item[], isOver: boolean): TaskSections {
  const answer = items.findLast((item) => item.kind === "answer" && item.isFinal);
  const words: WordsItem[] = [];
  const uploads: FileItem[] = [];
  const attachedLater = new Map<string, readonly FileItem[]>();
  const attached: FileItem[] = [];
  const files: FileItem[] = [];
  const asks: Item[] = [];
  const steps: Item[] = [];
  for (const item of items) {
    if (item === answer) continue;
    if (item.kind === "user") {
      // Files are attached right before the words that they come with.
      if (steps.length > 0 && uploads.length > 0)
        attachedLater.set(item.key, distinct(uploads.splice(0)));
      words.push(item);
    } else if (item.kind === "file" && isUpload(item)) {
      if (steps.length > 0) uploads.push(item);
      else attached.push(item);
    } else if (item.kind === "file" && !workingFiles.has(item.fileKind)) files.push(item);
    else if (isAsk(item, isOver)) asks.push(item);
    else if (!isSummary(item)) steps.push(item);
  }
  return {
    words,
    attached: distinct([...attached, ...uploads]),
    attachedLater,
    answer: answer?.kind === "answer" ? answer.text : undefined,
    files: distinct(files),
    drafts: unsentDrafts(items),
    asks,
    steps,
    calls: steps.flatMap((item) =>
      item.kind === "tool" && item.tool !== "plan" && item.tool !== "emit_ui" ? [item] : [],
    ),
  };
}

function isUpload({ fileKind }: FileItem): boolean {
  return fileKind === uploadKind;
}

function isAsk(item: Item, isOver: boolean): boolean {
  if (item.kind === "question") return !isOver;
  if (item.kind === "unasked") return !isOver && isUndoable(item);
  if (item.kind !== "card") return false;
  return isOver ? item.card.kind === "UnknownEffectCard" : askingCards.has(item.card.kind);
}

/** Its time for undo may be over. Then it starts at once, and is no longer `approved`. */
function isUndoable({ state, undoUntil }: UnaskedItem): boolean {
  return state === "approved" && undoUntil !== undefined;
}

function isSummary(item: Item): boolean {
  return item.kind === "card" && item.card.kind === "RunSummaryCard";
}

/** The summary of a task that did not simply succeed. */
export function summaryOf(
  items: readonly Item[],
): Extract<Item, { kind: "card" }>["card"] | undefined {
  const item = items.findLast(isSummary);
  return item?.kind === "card" ? item.card : undefined;
}

/** The newest state of each draft, without those that a later call sent. */
function unsentDrafts(items: readonly Item[]): readonly DraftCard[] {
  const drafts = new Map<string, DraftCard>();
  for (const item of items) {
    if (item.kind === "card" && item.card.kind === "EmailDraftCard")
      drafts.set(item.card.payload.draftId, item.card.payload);
    if (item.kind === "tool" && item.tool === "gmail_draft_send" && item.state === "completed")
      drafts.delete(draftIdIn(item) ?? "");
  }
  return [...drafts.values()];
}

function draftIdIn({ input }: ToolItem): string | undefined {
  const id =
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? input["draftId"]
      : undefined;
  return typeof id === "string" ? id : undefined;
}

/** A file that several steps saved is shown once, as it was saved last. */
function distinct(files: readonly FileItem[]): readonly FileItem[] {
  return [...new Map(files.map((file) => [`${file.name} ${file.digest}`, file])).values()];
}
