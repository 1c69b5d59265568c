import { omitUndefined, whyUnasked, type EventView } from "@bron/protocol";
import type { Item, UnaskedItem } from "./item.ts";

/** The item of an effect that the policy allowed and that others see. `known` is its item so far. */
export function unaskedItem(
  payload: Extract<EventView, { type: "effect" }>["payload"],
  known: Item | undefined,
): UnaskedItem | undefined {
  const { effectId, tool, state, preview = "", undoUntil } = payload;
  if (known?.kind === "unasked") return { ...known, state };
  const reasons = whyUnasked(payload);
  if (!reasons) return undefined;
  return {
    kind: "unasked",
    key: effectId,
    tool,
    preview,
    reasons,
    state,
    ...omitUndefined({ undoUntil }),
  };
}
