import type { JsonValue } from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";

/** Equal for two calls of a tool with the same input. */
export function callKey(tool: string, input: JsonValue): string {
  return `${tool} ${canonicalJson(input)}`;
}
