import type { EffectView } from "@bron/protocol";
import { BronError, requestError } from "../errors.ts";
import type { NewAudit } from "../ports/audit.ts";

/** The store adds what the effect's row says. */
export const restoredEntry: Pick<NewAudit, "what" | "by" | "details"> = {
  what: "effect.restored",
  by: "owner",
  details: {},
};

/** Whether an effect in this state may have replaced something, and no longer will. */
export function canRestore({ state }: Pick<EffectView, "state">): boolean {
  return state === "done" || state === "unknown";
}

/** Why the text that an effect replaced cannot be restored now. */
export function restoreError(
  effectId: string,
  effect: Pick<EffectView, "state" | "restoredAt"> | undefined,
): BronError {
  if (!effect) return new BronError("not_found", `Effect ${effectId} not found.`);
  if (effect.restoredAt !== null) return requestError("conflict", { code: "already_restored" });
  return requestError("conflict", {
    code: canRestore(effect) ? "restore_under_way" : "nothing_to_restore",
  });
}
