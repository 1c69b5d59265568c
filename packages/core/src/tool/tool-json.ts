import type { ActionFailureReason, JsonValue, KeptOutput, Label } from "@bron/protocol";
import { cleanJsonText, cleanText } from "../context/clean-text.ts";
import { messageOf } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { maxOutputCharacters } from "./output-preview.ts";

/** What tools return, as JSON of limited size and depth. */

const maxPreparedCharacters = 30_000_000;

type Form =
  | { readonly ok: true; readonly prepared: JsonValue; readonly preview: string }
  | { readonly ok: false; readonly why: ActionFailureReason };

/**
 * Validates a prepared form. It is accepted unchanged or not at all, because what is approved is
 * what is done.
 */
export function preparedForm(value: unknown): Form {
  if (
    typeof value !== "object" ||
    value === null ||
    !("prepared" in value) ||
    !("preview" in value) ||
    typeof value.preview !== "string"
  )
    return { ok: false, why: { code: "form_missing" } };
  let text: string | undefined;
  try {
    text = JSON.stringify(value.prepared) as string | undefined;
  } catch (error) {
    return { ok: false, why: { code: "form_not_json", detail: cleanText(messageOf(error)) } };
  }
  if (text === undefined) return { ok: false, why: { code: "form_empty" } };
  if (text.length > maxPreparedCharacters || depthOf(text) > maxDepth)
    return { ok: false, why: { code: "form_too_large" } };
  return {
    ok: true,
    prepared: JSON.parse(cleanJsonText(text)) as JsonValue,
    preview: cleanText(value.preview),
  };
}

const maxDepth = 200;

/**
 * How deep objects and arrays nest in a JSON text. Strings are skipped, because the bytes of an
 * email may be 30 million characters.
 */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}

/**
 * Index of the quote that closes the string at `start`: the first one preceded by an even number of
 * backslashes.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** Text that is too long for the log. */
interface LongText {
  readonly text: string;
  readonly mediaType: "application/json" | "text/plain; charset=utf-8";
}

export interface ToolOutput {
  readonly output: JsonValue;
  /** The text of the output, if it is too long for the log. */
  readonly long?: LongText;
  /** Set once a long output is kept. Then `output` is a preview, and `label` that of the whole. */
  readonly kept?: KeptOutput;
  readonly label?: Label;
}

/** The most that is kept of one output. */
const maxKeptCharacters = 20_000_000;

/** Above this length, other work of the process gets a turn between two passes over a text. */
const pauseAboveCharacters = 250_000;

/** Converts a tool's result to JSON of limited depth. `long` is its text, if that is long. */
export async function toToolOutput(
  value: unknown,
  clock: Pick<Clock, "sleep">,
): Promise<ToolOutput> {
  if (typeof value === "string") return asText(value);
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? null) as string | undefined;
  } catch {
    // Circular values and bigints are not JSON. Their string form is better than nothing.
  }
  if (text === undefined) return asText(String(value));
  const { length } = text;
  if (length > maxKeptCharacters) return asText(text);
  const pause = async () => {
    if (length > pauseAboveCharacters) await clock.sleep(0);
  };
  await pause();
  if (depthOf(text) > maxDepth) return asText(text);
  await pause();
  const output = JSON.parse(cleanJsonText(text)) as JsonValue;
  if (length <= maxOutputCharacters) return { output };
  await pause();
  // Lines, so that a part of it can be read by its lines.
  const lines = JSON.stringify(output, null, 1);
  await pause();
  return { output, long: { text: lines, mediaType: "application/json" } };
}

/** A value that came as JSON, without what a database cannot store. A very deep one becomes text. */
export function limitDepth(value: JsonValue): JsonValue {
  const text = cleanJsonText(JSON.stringify(value));
  return depthOf(text) > maxDepth ? text : (JSON.parse(text) as JsonValue);
}

/** Whether a result is kept as an artifact. */
export function isLongOutput(value: JsonValue): boolean {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxOutputCharacters;
}

function asText(value: string): ToolOutput {
  const text = cleanText(value);
  if (text.length <= maxOutputCharacters) return { output: text };
  const kept =
    text.length <= maxKeptCharacters
      ? text
      : `${text.slice(0, maxKeptCharacters).toWellFormed()}\n[truncated: ${text.length} characters in total]`;
  return { output: kept, long: { text: kept, mediaType: "text/plain; charset=utf-8" } };
}
