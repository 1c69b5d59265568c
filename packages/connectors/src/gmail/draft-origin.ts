import { textOf, type ToolContext } from "@bron/core";
import type { FormReads, JsonObject } from "@bron/protocol";
import type { DraftHeaders } from "./prepared-draft.ts";

/**
 * Who wrote a draft: the owner by hand, this run, or a run of Bron before it. What Bron wrote stays
 * Bron's, whatever the owner changed in it.
 */
export type DraftOrigin = "owner" | "run" | "earlier";

interface ReadDraft {
  readonly origin: DraftOrigin;
  /** What has to be judged like a result when the draft is used. */
  readonly reads: FormReads;
}

/**
 * Knows a draft of Bron by its id, and by the mark in its header where mail programs saved it under
 * another id.
 */
export async function readOrigin(
  { draftId, isMarked }: { readonly draftId: string; readonly isMarked: boolean },
  shown: JsonObject,
  context: Pick<ToolContext, "runId" | "writersOf">,
): Promise<ReadDraft> {
  const writers = [...(await context.writersOf({ kind: "draft", id: draftId }))];
  const isByHand = writers.length === 0 && !isMarked;
  if (isByHand) return { origin: "owner", reads: { results: [], writers } };
  const isOwn = writers.length > 0 && writers.every(({ runId }) => runId === context.runId);
  // Bron wrote it, and no entry says what it had read by then.
  const results = writers.length === 0 ? [{ label: labelOf(shown), value: shown }] : [];
  return { origin: isOwn ? "run" : "earlier", reads: { results, writers } };
}

const labelOf = (shown: JsonObject) => ({
  origin: "thread" as const,
  trusted: false,
  private: true,
  readers: [],
  parts: [{ path: [], item: { kind: "draft" as const, title: textOf(shown, "subject") } }],
});

/**
 * The draft as a thing that the owner's words must mention. What this run wrote needs no mention. A
 * mention reaches the people whom the owner entered by hand.
 */
export function draftThings(
  { draftId, draftOrigin }: { readonly draftId: string; readonly draftOrigin?: DraftOrigin },
  { subject, to, cc, bcc, replyTo }: DraftHeaders,
) {
  if (draftOrigin === undefined || draftOrigin === "run") return [];
  const people = draftOrigin === "owner" ? [...to, ...cc, ...bcc, ...replyTo] : [];
  return [{ kind: "draft" as const, id: draftId, title: subject, people }];
}
