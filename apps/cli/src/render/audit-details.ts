import type { AuditView, JsonValue } from "@bron/protocol";
import { oneLine } from "./visible.ts";

/** The details of a row in one line: `to eva@example.com, subject Invoice`. */
export function auditDetails({ details }: Pick<AuditView, "details">): string {
  const entries = Object.entries(details).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${toText(value)}`],
  );
  return oneLine(entries.join(", "), 200);
}

function toText(value: JsonValue): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.join(" ")
    : JSON.stringify(value);
}
