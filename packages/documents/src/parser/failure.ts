import type { Frame } from "../frame.ts";

/**
 * Why a document cannot be read, for people and models. Crosses threads and processes as a frame.
 */
export interface Failure {
  readonly isFailure: true;
  readonly code: Extract<Frame, { type: "failed" }>["code"];
  readonly message: string;
}

export function failure(code: Failure["code"], message: string): Failure {
  return { isFailure: true, code, message };
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "isFailure" in value;
}
