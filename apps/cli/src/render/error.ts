import { BronError } from "@bron/core";
import {
  describeProblem,
  errorTable,
  problemReasonOf,
  visible,
  type ErrorCode,
} from "@bron/protocol";
import { asCalled } from "../called-as.ts";
import { indent } from "./visible.ts";

interface ErrorView {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/**
 * Describes any thrown value for people. Errors that are not public become `internal` with a
 * reference.
 */
function describeError(
  error: unknown,
  { reference, isSaved }: { readonly reference: string; readonly isSaved: boolean },
): ErrorView {
  if (BronError.is(error, "internal") && typeof error.details["reference"] === "string") {
    return {
      code: "internal",
      message: `Something went wrong in the running server (reference ${error.details["reference"]}).`,
      hint: "Report this problem and include the reference. The server's log has the details.",
    };
  }
  if (!isPublic(error)) {
    const where = isSaved
      ? "Report this problem and include the entry with this reference in BRON_HOME/errors.log. LOG_LEVEL=debug prints the details."
      : "Run it again with LOG_LEVEL=debug and report the output. BRON_HOME/errors.log could not be written.";
    return {
      code: "internal",
      message: `Something went wrong inside Bron (reference ${reference}).`,
      hint: where,
    };
  }
  const { hint } = error.details;
  return {
    code: error.code,
    message: describeProblem({ why: problemReasonOf(error.details), message: error.message }),
    hint: typeof hint === "string" ? hint : error.hint,
  };
}

/** Whether the error's message may be shown to people. If not, they see a reference instead. */
export function isPublic(error: unknown): error is BronError {
  return BronError.is(error) && errorTable[error.code].public;
}

/**
 * Renders an error for the terminal. `isSaved`: errors.log has the details behind the reference.
 */
export function renderError(
  error: unknown,
  options: {
    readonly json: boolean;
    readonly debug: boolean;
    readonly reference: string;
    readonly isSaved?: boolean;
    readonly calledAs?: string;
  },
): { readonly view: ErrorView; readonly out: string; readonly err: string } {
  const described = describeError(error, {
    reference: options.reference,
    isSaved: options.isSaved ?? true,
  });
  const hint = asCalled({ calledAs: options.calledAs ?? "bron" }, described.hint);
  const view = { ...described, hint };
  const stack = options.debug ? `${stackOf(error)}\n` : "";
  if (options.json) return { view, out: `${JSON.stringify({ error: view })}\n`, err: stack };
  return {
    view,
    out: "",
    err: `error: ${indent(view.message, 7)}\nhint: ${indent(view.hint, 6)}\ncode: ${view.code}\n${stack}`,
  };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error));
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return visible(error.stack ?? error.message) + cause;
}
