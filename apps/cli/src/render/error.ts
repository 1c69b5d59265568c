import { BronError } from "@bron/core";
import { errorTable, type ErrorCode, visible } from "@bron/protocol";
import { indent } from "./visible.ts";

export interface ErrorView {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Whatever was thrown, as it may be shown. What is no word of ours for people becomes `internal` with the reference. */
function describeError(
  error: unknown,
  { reference, isKept }: { readonly reference: string; readonly isKept: boolean },
): ErrorView {
  if (BronError.is(error, "internal") && typeof error.details["reference"] === "string") {
    return {
      code: "internal",
      message: `Something went wrong inside the running Bron (reference ${error.details["reference"]}).`,
      hint: "Report it with the reference; where Bron was started, its entry says more.",
    };
  }
  if (!isPublic(error)) {
    const where = isKept
      ? "Report it with the reference and its entry in BRON_HOME/errors.log; LOG_LEVEL=debug shows more at once."
      : "BRON_HOME/errors.log could not be written. LOG_LEVEL=debug shows what happened: report that.";
    return {
      code: "internal",
      message: `Something went wrong inside Bron (reference ${reference}).`,
      hint: where,
    };
  }
  const { hint } = error.details;
  return {
    code: error.code,
    message: error.message,
    hint: typeof hint === "string" ? hint : error.hint,
  };
}

/** Whether its words are for people. If not, a reference stands for them. */
export function isPublic(error: unknown): error is BronError {
  return BronError.is(error) && errorTable[error.code].public;
}

/** The one place where errors become text. `isKept`: errors.log has what is behind the reference. */
export function renderError(
  error: unknown,
  options: {
    readonly json: boolean;
    readonly debug: boolean;
    readonly reference: string;
    readonly isKept?: boolean;
  },
): { readonly view: ErrorView; readonly out: string; readonly err: string } {
  const view = describeError(error, {
    reference: options.reference,
    isKept: options.isKept ?? true,
  });
  const stack = options.debug ? `${stackOf(error)}\n` : "";
  if (options.json) return { view, out: `${JSON.stringify({ error: view })}\n`, err: stack };
  return {
    view,
    out: "",
    err: `bron: ${indent(view.message, 6)}\n  Next: ${indent(view.hint, 8)}\n  (code ${view.code})\n${stack}`,
  };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error));
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return visible(error.stack ?? error.message) + cause;
}
