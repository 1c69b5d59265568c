import { BronError, type Tool } from "@bron/core";
import type { ApprovalView, JsonObject } from "@bron/protocol";
import { isDeepStrictEqual } from "node:util";

type Tools = ReadonlyMap<string, Tool>;

/**
 * The editable fields of an approval with their current values, or undefined if it cannot be
 * edited.
 */
export function editableOf(
  tools: Tools,
  { tool, prepared }: Pick<ApprovalView, "tool" | "prepared">,
): JsonObject | undefined {
  try {
    return tools.get(tool)?.editing?.valuesOf(prepared);
  } catch {
    // The form is from an older version of the tool. It can be decided but not edited.
    return undefined;
  }
}

/**
 * Returns only the fields that really change. Throws invalid_input if they cannot be edited like
 * this.
 */
export function checkChanges(
  tools: Tools,
  approval: Pick<ApprovalView, "tool" | "prepared">,
  changes: JsonObject,
): JsonObject {
  const editing = tools.get(approval.tool)?.editing;
  const values = editableOf(tools, approval);
  if (!editing || !values)
    throw new BronError(
      "invalid_input",
      `This action can't be edited. Approve it, deny it, or request changes.`,
    );
  const parsed = editing.fields.safeParse(changes);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BronError(
      "invalid_input",
      `${issue?.path.join(".") || "changes"}: ${issue?.message ?? "invalid"}. Editable fields: ${Object.keys(values).join(", ")}.`,
    );
  }
  const changed = Object.fromEntries(
    Object.entries(parsed.data as JsonObject).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, values[field]),
    ),
  );
  if (Object.keys(changed).length === 0)
    throw new BronError(
      "invalid_input",
      `No changes. Editable fields: ${Object.keys(values).join(", ")}.`,
    );
  return changed;
}
