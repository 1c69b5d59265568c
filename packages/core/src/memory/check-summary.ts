import { maxSummaryBytes, minSummaryBytes, type SummaryProblem } from "@bron/protocol";

type CheckedSummary =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: SummaryProblem };

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/**
 * Whether a text can replace the summary. One that had 0.5 KB keeps that, because a shorter text has
 * lost most of it.
 */
export function checkSummary(written: string, before: string): CheckedSummary {
  const text = written.trim();
  if (text === "") return { ok: false, why: "empty" };
  if (bytesOf(text) > maxSummaryBytes) return { ok: false, why: "too_long" };
  if (bytesOf(before) >= minSummaryBytes && bytesOf(text) < minSummaryBytes)
    return { ok: false, why: "too_short" };
  return { ok: true, text };
}
