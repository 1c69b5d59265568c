import { isParked, type ErrorCode, type RunOutcome, type RunView } from "@bron/protocol";

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130;

/** An argument or a variable is wrong, so that the same call can never succeed. */
const usageErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "invalid_input",
  "too_large",
  "config_invalid",
  "model_unknown",
  "home_unusable",
  "database_refused",
  "secret_key_missing",
  "secret_key_changed",
]);

const needsSignIn: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unauthenticated",
  "missing_credentials",
]);

export function exitCodeOfError(code: ErrorCode): ExitCode {
  if (usageErrors.has(code)) return 2;
  if (needsSignIn.has(code)) return 3;
  if (code === "effect_unknown") return 4;
  return code === "interrupted" ? 130 : 1;
}

/**
 * An unknown effect takes precedence over the final status, because it must be checked before a
 * retry.
 */
export function exitCodeOfRun(
  { status, outcome }: Pick<RunView, "status" | "outcome">,
  hasUnknownEffect: boolean,
): ExitCode {
  if (isParked(status)) return 3;
  if (hasUnknownEffect) return 4;
  if (status === "canceled") return 130;
  if (status === "failed") return 1;
  return outcome === null ? 0 : exitCodes[outcome];
}

const exitCodes = {
  done: 0,
  partly_done: 1,
  could_not: 1,
  needs_answer: 3,
  denied: 5,
} as const satisfies Record<RunOutcome, ExitCode>;
