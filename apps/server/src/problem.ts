import { BronError } from "@bron/core";
import {
  errorTable,
  isErrorCode,
  omitUndefined,
  problemReasonOf,
  type ErrorCode,
  type Problem,
} from "@bron/protocol";
import { randomBytes } from "node:crypto";
import { ZodError } from "zod";

const maxFieldErrors = 20;

/**
 * Converts any thrown value to a problem. Errors that are not public become `internal`, and
 * `onInternal` gets the original.
 */
export function problemOf(
  error: unknown,
  onInternal: (reference: string, error: unknown) => void,
): Problem {
  if (error instanceof ZodError) {
    const errors = error.issues
      .slice(0, maxFieldErrors)
      .map(({ path, message }) => ({ path: path.join("."), message }));
    const [first] = errors;
    return {
      ...describe("invalid_input", `${first?.path || "input"}: ${first?.message ?? "invalid"}`),
      errors,
    };
  }
  if (BronError.is(error) && isErrorCode(error.code) && errorTable[error.code].public)
    return {
      ...describe(error.code, error.message),
      ...omitUndefined({ why: problemReasonOf(error.details) }),
    };
  const reference = randomBytes(6).toString("hex");
  onInternal(reference, error);
  return { ...describe("internal", "Something went wrong inside Bron."), reference };
}

function describe(code: ErrorCode, detail: string): Problem {
  const { status, slug, hint } = errorTable[code];
  const title = slug.replaceAll("-", " ");
  return {
    type: `/docs/errors#${slug}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    status,
    detail,
    code,
    hint,
  };
}
