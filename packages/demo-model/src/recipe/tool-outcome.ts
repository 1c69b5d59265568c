import { isObject, type JsonObject } from "../wire.ts";

/**
 * `missing`: the request offered no such tool. `replied`: the owner asked for changes instead of
 * approving, and the message is the owner's words.
 */
export interface Trouble {
  readonly status: "failed" | "denied" | "unknown" | "replied" | "missing";
  readonly message: string;
  /** The fields that the owner had edited before the reply. */
  readonly edit?: JsonObject;
}

export type ToolOutcome = { readonly status: "done"; readonly value: unknown } | Trouble;

const withCode = /^(?<code>[a-z]+(?:_[a-z]+)*): (?<message>[^]*)$/;
const reply =
  /^(?:The user had edited it: (?<edit>\{[^\n]*\})\n)?The user answered: (?<words>[^]*)$/;

/**
 * Reads the result of a call. @ai-sdk/google sends `{ name, content }`, or `{ name, error }` for an
 * error or a denial. Bron starts an error with its code, and a denial has none.
 */
export function readOutcome({ name: _, content, error, ...rest }: JsonObject): ToolOutcome {
  if (typeof error !== "string") return { status: "done", value: parseJson(content ?? rest) };
  const { code, message = error } = withCode.exec(error)?.groups ?? {};
  if (code !== undefined)
    return {
      status: code === "effect_unknown" ? "unknown" : "failed",
      message: message.replace(/ Do not do it again[^.]*\.$/, ""),
    };
  const { words, edit } = reply.exec(error)?.groups ?? {};
  if (words === undefined) return { status: "denied", message: error };
  const edited = parseJson(edit);
  return { status: "replied", message: words, ...(isObject(edited) ? { edit: edited } : {}) };
}

function parseJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Says why a call had no result. `doing` is what it would have done. */
export function explainTrouble({ status, message }: Trouble, doing: string, tool: string): string {
  switch (status) {
    case "missing":
      return `I can't ${doing} because the tool ${tool} isn't available.`;
    case "unknown":
      return `I tried to ${doing}, but I couldn't confirm whether it went through: ${asSentence(message)} Check before retrying.`;
    case "replied":
      return `You asked for changes, so I didn't ${doing}: ${asSentence(message)}`;
    case "denied": {
      // A rule can deny an effect without asking the owner, so the owner did not deny it.
      if (/\brules?\b/i.test(message)) break;
      const reason = message.replace(/^The user declined(?:: |\.?$)/, "").trim();
      return `You didn't approve it, so I didn't ${doing}${reason === "" ? "." : `: ${asSentence(reason)}`}`;
    }
    case "failed":
  }
  return `I couldn't ${doing}: ${asSentence(message)}`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
