import type { ConnectionState } from "@bron/client";
import { texts } from "../texts.ts";

/** A banner that does not block the page, because the shown data stays usable. */
export function ConnectionBanner({ state }: { readonly state: ConnectionState }) {
  if (state === "live") return null;
  return (
    <p role="status" className="border-b border-edge bg-raised px-4 py-2 text-center text-sm">
      <strong className="font-semibold">{texts.connection[state]}</strong>{" "}
      {texts.connectionHint[state]}
    </p>
  );
}
