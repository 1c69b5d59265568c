import { BronError, type Tool } from "@bron/core";
import type { ApprovalView, JsonObject } from "@bron/protocol";
import { isDeepStrictEqual } from "node:util";

type Tools = ReadonlyMap<string, Tool>;

/** The fields of an approval that can be edited, as they stand; undefined if nothing can. */
export function editableOf(
  tools: Tools,
  { tool, prepared }: Pick<ApprovalView, "tool" | "prepared">,
): JsonObject | undefined {
  try {
    return tools.get(tool)?.editing?.valuesOf(prepared);
  } catch {
    // A form of an older version of the tool: it can be decided on, not edited.
    return undefined;
  }
}

/** Only the fields that really change. Throws invalid_input for what cannot be edited so. */
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
      `What ${approval.tool} would do cannot be edited: approve it, deny it, or say in words what should be different.`,
    );
  const parsed = editing.fields.safeParse(changes);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BronError(
      "invalid_input",
      `${issue?.path.join(".") || "changes"}: ${issue?.message ?? "invalid"}. These can be edited: ${Object.keys(values).join(", ")}.`,
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
      `Nothing would change. These can be edited: ${Object.keys(values).join(", ")}.`,
    );
  return changed;
}
