import { omitUndefined, type Failure } from "@bron/protocol";

/** A failure without the members that an error may have besides. */
export function plainFailure({ code, why, message }: Failure) {
  return { code, ...omitUndefined({ why, message }) };
}
