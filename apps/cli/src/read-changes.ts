import { BronError } from "@bron/core";
import type { ApprovalView, JsonObject, JsonValue } from "@bron/protocol";

/**
 * Parses `field=value` arguments. A repeated field becomes a list, and an empty value an empty
 * list.
 */
export function readChanges(
  { editable = {} }: Pick<ApprovalView, "editable">,
  set: readonly string[],
): JsonObject {
  const valuesByField = new Map<string, string[]>();
  for (const change of set) {
    const at = change.indexOf("=");
    if (at < 1)
      throw new BronError(
        "invalid_input",
        `"${change}" isn't of the form field=value, for example subject="On Monday".`,
      );
    const field = change.slice(0, at);
    valuesByField.set(field, [...(valuesByField.get(field) ?? []), change.slice(at + 1)]);
  }
  if (valuesByField.size === 0 && Object.keys(editable).length > 0)
    throw new BronError(
      "invalid_input",
      `Specify what to change with --set field=value. Editable fields: ${Object.keys(editable).join(", ")}.`,
    );
  return Object.fromEntries(
    [...valuesByField].map(([field, values]) => [field, valueOf(field, values, editable[field])]),
  );
}

const lists: ReadonlySet<string> = new Set(["to", "cc", "bcc", "guests"]);

function valueOf(
  field: string,
  values: readonly string[],
  before: JsonValue | undefined,
): JsonValue {
  if (Array.isArray(before) || (before === undefined && lists.has(field)))
    return values.filter((value) => value !== "");
  if (values.length > 1)
    throw new BronError("invalid_input", `${field} takes one value, not ${values.length}.`);
  return values[0] ?? "";
}
