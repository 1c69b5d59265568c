import { BronError, messageOf } from "@bron/core";

export interface ErrorDescription {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: ErrorDescription;
  readonly stack?: readonly string[];
}

/** Messages only of errors whose words are ours or the system's: those of a library may repeat what it was given, mail and all. */
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
  // An outage in plain words has the system's answer as its cause.
  const cause = BronError.is(error) ? describeError(error.cause, { withStack: false }) : undefined;
  return {
    type: error.name,
    ...code,
    ...(mayBeSaid(error) ? { message: error.message } : {}),
    ...(cause ? { cause } : {}),
    ...frames,
  };
}

/** A message into which somebody put the error's own. */
export function withoutWordsOf(error: unknown, message: string): string {
  const words = error === undefined || mayBeSaid(error) ? "" : messageOf(error);
  return words === "" ? message : message.replaceAll(words, "…");
}

function mayBeSaid(error: unknown): boolean {
  return BronError.is(error) || (error instanceof Error && "syscall" in error);
}
