import type { AuditView, JsonValue } from "@bron/protocol";
import { oneLine } from "./visible.ts";

/** What a row says beside who and what, in one line: `to eva@example.com, subject Invoice`. */
export function auditDetails({ details }: Pick<AuditView, "details">): string {
  const parts = Object.entries(details).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${inWords(value)}`],
  );
  return oneLine(parts.join(", "), 200);
}

function inWords(value: JsonValue): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((one) => typeof one === "string")
    ? value.join(" ")
    : JSON.stringify(value);
}
