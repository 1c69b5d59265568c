import { BronError } from "@bron/core";
import type { ApprovalView, JsonObject, JsonValue } from "@bron/protocol";

/** `field=value` as a person types it: a list takes as many values as are given, and none for an empty one. */
export function readChanges(
  { editable = {} }: Pick<ApprovalView, "editable">,
  set: readonly string[],
): JsonObject {
  const given = new Map<string, string[]>();
  for (const one of set) {
    const at = one.indexOf("=");
    if (at < 1)
      throw new BronError(
        "invalid_input",
        `"${one}" does not say what to change: give field=value, for example subject="On Monday".`,
      );
    const field = one.slice(0, at);
    given.set(field, [...(given.get(field) ?? []), one.slice(at + 1)]);
  }
  if (given.size === 0 && Object.keys(editable).length > 0)
    throw new BronError(
      "invalid_input",
      `Say what to change with --set field=value. These can be edited: ${Object.keys(editable).join(", ")}.`,
    );
  return Object.fromEntries(
    [...given].map(([field, values]) => [field, valueOf(field, values, editable[field])]),
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
