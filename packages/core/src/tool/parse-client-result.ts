import { maxClientResultBytes, type JsonValue } from "@bron/protocol";
import { limitDepth } from "./tool-json.ts";
import type { ClientSide } from "./tool.ts";

type ParsedResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly detail: string };

/** Validates what a program sent against the output schema of the tool. */
export function parseClientResult({ outputSchema }: ClientSide, result: JsonValue): ParsedResult {
  const parsed = outputSchema.safeParse(result);
  if (parsed.success) return { ok: true, value: limitDepth((parsed.data ?? null) as JsonValue) };
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join(".") || "result"}: ${message}`);
  return { ok: false, detail: issues.join("; ") };
}

/** Whether a result is small enough for the log. */
export function isClientResultSmall(result: JsonValue): boolean {
  return new TextEncoder().encode(JSON.stringify(result)).length <= maxClientResultBytes;
}
