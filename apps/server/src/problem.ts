import { BronError } from "@bron/core";
import { errorTable, isErrorCode, type ErrorCode } from "@bron/protocol";
import { randomBytes } from "node:crypto";
import { ZodError } from "zod";
import { refusals, RequestRefused, type RefusalCode } from "./request-refused.ts";

/** RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode | RefusalCode;
  readonly hint: string;
  /** With `internal`: the same words stand in the log. */
  readonly reference?: string;
  /** With `invalid_input`: every field that did not fit. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

const maxFieldErrors = 20;

/** The one translation of whatever was thrown. What is not public becomes `internal`; `onInternal` is told what it was. */
export function problemOf(error: unknown, onInternal: (reference: string, error: unknown) => void): Problem {
  if (error instanceof RequestRefused) return describe(error.code, refusals[error.code], error.message);
  if (error instanceof ZodError) {
    const errors = error.issues.slice(0, maxFieldErrors).map(({ path, message }) => ({ path: path.join("."), message }));
    const [first] = errors;
    return { ...describe("invalid_input", errorTable.invalid_input, `${first?.path || "input"}: ${first?.message ?? "invalid"}`), errors };
  }
  if (BronError.is(error) && isErrorCode(error.code) && errorTable[error.code].public) return describe(error.code, errorTable[error.code], error.message);
  const reference = randomBytes(6).toString("hex");
  onInternal(reference, error);
  return { ...describe("internal", errorTable.internal, "Something went wrong inside Bron."), reference };
}

function describe(code: Problem["code"], { status, slug, hint }: { status: number; slug: string; hint: string }, detail: string): Problem {
  const title = slug.replaceAll("-", " ");
  return { type: `/docs/errors#${slug}`, title: title.charAt(0).toUpperCase() + title.slice(1), status, detail, code, hint };
}
