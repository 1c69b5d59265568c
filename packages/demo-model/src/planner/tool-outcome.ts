import { isObject, type JsonObject } from "../wire.ts";
import type { ToolKind } from "./offered-tools.ts";

export type ToolOutcome =
  | { readonly status: "done"; readonly value: unknown }
  | { readonly status: "failed" | "denied" | "unknown"; readonly message: string };

const deniedWords =
  /\b(?:denied|rejected(?! the (?:request|sign-in))|declined|disallowed|not (?:approved?|allow(?:ed)?|permit(?:ted)?)|disapproved|refused by|said no|approval (?:has )?expired|blocked by your rules|no longer allow|replaced or canceled)\b/i;
const unknownWords =
  /\b(?:effect_unknown|unknown (?:outcome|effect|whether|result)|outcome (?:is )?unknown|(?:is|it is) unknown whether|not known whether|may or may not|cannot (?:tell|be determined) whether)\b/i;
const statusWords: Readonly<Record<string, "failed" | "denied" | "unknown">> = {
  rejected: "denied",
  denied: "denied",
  declined: "denied",
  expired: "denied",
  superseded: "denied",
  failed: "failed",
  error: "failed",
  canceled: "failed",
  cancelled: "failed",
  unknown: "unknown",
  effect_unknown: "unknown",
};

/**
 * Reads the outcome of a call. @ai-sdk/google sends `{ name, content }`, or `{ name, error }` for
 * an error or a denial, which differ only in their text. Bron starts an error with its code, which
 * is removed here. The text of a successful result counts as a failure only for tools that change
 * something: there a wrong "done" is worse than a wrong doubt, while a note may contain the word
 * "denied".
 */
export function readOutcome(kind: ToolKind, response: JsonObject): ToolOutcome {
  if (response["error"] !== undefined && response["error"] !== null)
    return badNews(parseJson(response["error"]));
  const value = parseJson(payload(response));
  const status = isObject(value) ? statusOf(value) : undefined;
  if (status !== undefined) return { status, message: messageOf(value) };
  if (
    isObject(value) &&
    (value["ok"] === false || (value["error"] !== undefined && value["error"] !== null))
  )
    return badNews(value);
  if (
    (kind === "post" || kind === "write") &&
    typeof value === "string" &&
    (deniedWords.test(value) || unknownWords.test(value))
  )
    return badNews(value);
  if (kind === "read" && (value === null || value === undefined))
    return { status: "failed", message: "there is no such note" };
  return { status: "done", value };
}

function payload(response: JsonObject): unknown {
  for (const field of ["content", "result", "output"])
    if (response[field] !== undefined) return response[field];
  const { name: _, ...rest } = response;
  return rest;
}

function parseJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function statusOf(value: JsonObject): "failed" | "denied" | "unknown" | undefined {
  for (const field of ["status", "state", "outcome", "code"]) {
    const word = value[field];
    if (typeof word === "string" && Object.hasOwn(statusWords, word.toLowerCase()))
      return statusWords[word.toLowerCase()];
  }
  return undefined;
}

function badNews(value: unknown): ToolOutcome {
  const words = messageOf(value);
  const message = words
    .replace(/^[a-z]+(?:_[a-z]+)*: /, "")
    .replace(/ Do not do it again[^.]*\.$/, "");
  const status = isObject(value) ? statusOf(value) : undefined;
  if (status === "denied" || status === "unknown") return { status, message };
  return {
    status: unknownWords.test(words) ? "unknown" : deniedWords.test(words) ? "denied" : "failed",
    message,
  };
}

function messageOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return JSON.stringify(value) ?? "no reason was given";
  for (const field of ["message", "reason", "error", "detail", "hint"]) {
    if (typeof value[field] === "string") return value[field];
    if (isObject(value[field])) return messageOf(value[field]);
  }
  return JSON.stringify(value);
}
