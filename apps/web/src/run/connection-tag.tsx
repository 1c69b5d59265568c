import type { ConnectionState } from "@bron/client";
import { texts } from "../texts.ts";

/** Says that a task is not live, and why. */
export function ConnectionTag({ state }: { readonly state: ConnectionState }) {
  if (state === "live") return null;
  return (
    <span
      role="status"
      title={texts.connectionHint[state]}
      className="truncate rounded-full border border-edge bg-raised px-2.5 py-0.5 text-xs text-ink"
    >
      {texts.connection[state]}
    </span>
  );
}
