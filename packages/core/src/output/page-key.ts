import type { JsonValue } from "@bron/protocol";
import { normalizeUrl } from "../policy/text/normalize-url.ts";
import { callKey } from "../retry/call-key.ts";

/** Calls that open the same page have the same key. What is different in them does not leave. */
export function pageKey(tool: string, input: JsonValue): string {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return callKey(tool, input);
  const { url } = input;
  const page = typeof url === "string" ? normalizeUrl(url) : undefined;
  return callKey(tool, page === undefined ? input : { ...input, url: page });
}
