import type { ErrorCode } from "./errors.ts";
import type { ApprovalPayload, EventPayloads, FieldDiff, NewEvent } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { omitUndefined } from "./omit-undefined.ts";

/** Error codes of earlier logs, and the names that replaced them. */
const renamedCodes: Readonly<Record<string, ErrorCode>> = {
  model_nonsense: "model_response_invalid",
  model_runaway: "model_response_too_long",
  run_poisoned: "run_keeps_failing",
};

/**
 * Replaces names that earlier versions wrote. Stores call it for every event that they read, so no
 * other code knows the old names.
 */
export function upgradeEvent(event: NewEvent): NewEvent {
  switch (event.type) {
    case "approval":
      return { ...event, payload: upgradeApproval(event.payload) };
    case "status":
      return { ...event, payload: withCode(event.payload) };
    case "child_run":
      return { ...event, payload: withErrorCode(event.payload) };
    case "usage":
      return { ...event, payload: withErrorCode(event.payload) };
    case "log":
      return "error" in event.payload ? { ...event, payload: withErrorCode(event.payload) } : event;
    case "ui":
      return event.payload.kind === "RunSummaryCard"
        ? { ...event, payload: { ...event.payload, payload: upgradeSummary(event.payload) } }
        : event;
    default:
      return event;
  }
}

/** Approvals before version 6 have these names, and one text that says why the owner is asked. */
interface OldApproval extends Omit<ApprovalPayload, "state"> {
  readonly state: ApprovalPayload["state"] | "requested";
  readonly difference?: FieldDiff[];
  readonly answer?: string;
}

function upgradeApproval({ difference, answer, ...rest }: OldApproval): ApprovalPayload {
  const renamed = { ...rest, ...omitUndefined({ diff: difference, reply: answer }) };
  if (renamed.state !== "requested") return { ...renamed, state: renamed.state };
  const { reason, ...request } = renamed;
  return { ...request, state: "pending", reasons: reason === undefined ? [] : [reason] };
}

/**
 * The code of a summary is in `error`, and in `code` before version 6. Earlier summaries call the
 * partial text `partialAnswer`.
 */
function upgradeSummary({ payload }: EventPayloads["ui"]): JsonObject {
  const { partialAnswer, ...rest } = payload;
  const upgraded: JsonObject = {
    ...withCode(rest),
    ...omitUndefined({ partialText: partialAnswer }),
  };
  const { error, unfinished } = payload;
  if (isObject(error)) upgraded["error"] = withCode(error);
  if (Array.isArray(unfinished))
    upgraded["unfinished"] = unfinished.map((child) =>
      isObject(child) && isObject(child["error"])
        ? { ...child, error: withCode(child["error"]) }
        : child,
    );
  return upgraded;
}

function withErrorCode<T extends { readonly error?: Failure }>(value: T): T {
  return value.error ? { ...value, error: withCode(value.error) } : value;
}

function withCode<T extends { readonly code?: JsonValue }>(value: T): T {
  const { code } = value;
  const renamed =
    typeof code === "string" && Object.hasOwn(renamedCodes, code) ? renamedCodes[code] : undefined;
  return renamed === undefined ? value : { ...value, code: renamed };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
