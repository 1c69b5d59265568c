import type { FileFlaw } from "@bron/protocol";

/** Why a document cannot be read. Crosses threads and processes as a frame. */
interface Failure {
  readonly isFailure: true;
  readonly flaw: FileFlaw;
}

export function failure(flaw: FileFlaw): Failure {
  return { isFailure: true, flaw };
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "isFailure" in value;
}
