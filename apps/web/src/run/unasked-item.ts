import { omitUndefined, type EventView } from "@bron/protocol";
import type { Item, UnaskedItem } from "./item.ts";

type Effect = Extract<EventView, { type: "effect" }>["payload"];

/** These reasons are about effects that reach no one else. */
const reachNoOne: ReadonlySet<string> = new Set(["only_owner_sees", "site_mentioned"]);

/** The item of an effect that the policy allowed and that others see. `known` is its item so far. */
export function unaskedItem(payload: Effect, known: Item | undefined): UnaskedItem | undefined {
  const { effectId, tool, state, prepared, preview = "", reasons = [], undoUntil } = payload;
  if (known?.kind === "unasked") return { ...known, state };
  const reachesOthers =
    reasons.length > 0 &&
    !reasons.some((reason) => typeof reason !== "string" && reachNoOne.has(reason.code));
  if (state !== "approved" || prepared === undefined || !reachesOthers) return undefined;
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
