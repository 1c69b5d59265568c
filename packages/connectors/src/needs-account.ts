import { BronError } from "@bron/core";
import { describeAuth, type AuthReason } from "@bron/protocol";

/** The error that parks a run until its owner connects an account. */
export function needsAccount(provider: string, why: AuthReason): BronError {
  return new BronError("missing_credentials", describeAuth({ why }), {
    details: { provider, why },
  });
}
