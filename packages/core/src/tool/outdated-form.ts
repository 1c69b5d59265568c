import type { ActionError, JsonValue } from "@bron/protocol";
import { actionError } from "./action-error.ts";
import type { Tool } from "./tool.ts";

interface StoredForm {
  readonly prepared: JsonValue;
  /** Undefined for a form that predates form versions. */
  readonly formVersion: number | undefined;
}

/** Returns why the tool cannot use an earlier prepared form, or undefined if it can. */
export function outdatedForm(tool: Tool, form: StoredForm): ActionError | undefined {
  const isCurrent =
    form.formVersion === undefined
      ? canBeRead(tool, form.prepared)
      : form.formVersion === tool.formVersion;
  if (isCurrent) return undefined;
  return actionError(
    "form_outdated",
    { code: "form_outdated" },
    `Call ${tool.name} again to prepare a new version for the user to approve.`,
  );
}

/** The facts read every relevant field of a form, so a form of another shape fails here. */
function canBeRead(tool: Tool, prepared: JsonValue): boolean {
  try {
    tool.factsOf(prepared);
    return true;
  } catch {
    return false;
  }
}
