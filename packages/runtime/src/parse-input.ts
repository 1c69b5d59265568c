import { BronError } from "@bron/core";

interface Schema<T> {
  safeParse(input: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly {
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        };
      };
}

/** Validates a caller's input. Throws invalid_input with the path of the first problem. */
export function parseInput<T>(schema: Schema<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BronError(
    "invalid_input",
    `${issue?.path.join(".") || "input"}: ${issue?.message ?? "invalid"}`,
  );
}
