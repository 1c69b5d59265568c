import { BronError, messageOf } from "@bron/core";

interface ErrorDescription {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: ErrorDescription;
  readonly stack?: readonly string[];
}

/**
 * Includes the message only for BronErrors and system errors. The message of a library error may
 * repeat its input, such as an email.
 */
export function describeError(
  error: unknown,
  { withStack }: { readonly withStack: boolean },
): ErrorDescription | undefined {
  if (error === undefined) return undefined;
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const frames = withStack
    ? {
        stack: (error.stack ?? "")
          .split("\n")
          .filter((line) => /^\s+at /.test(line))
          .map((line) => line.trim()),
      }
    : {};
  // The cause of a BronError is often the system error behind an outage.
  const cause = BronError.is(error) ? describeError(error.cause, { withStack: false }) : undefined;
  return {
    type: error.name,
    ...code,
    ...(isSafeToLog(error) ? { message: error.message } : {}),
    ...(cause ? { cause } : {}),
    ...frames,
  };
}

/** Removes the error's own message from a text that contains it, unless it is safe to log. */
export function redactMessage(error: unknown, text: string): string {
  const secret = error === undefined || isSafeToLog(error) ? "" : messageOf(error);
  return secret === "" ? text : text.replaceAll(secret, "…");
}

function isSafeToLog(error: unknown): boolean {
  return BronError.is(error) || (error instanceof Error && "syscall" in error);
}
