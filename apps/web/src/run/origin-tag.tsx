import type { Origin } from "@bron/protocol";
import { texts } from "../texts.ts";

/** Marks content that came from outside, whatever that content claims. */
export function OriginTag({ origin }: { readonly origin: Origin }) {
  return (
    <span
      title={texts.run.fromHint}
      className="rounded border border-dashed border-ask-edge bg-ask px-1.5 text-xs whitespace-nowrap text-ink"
    >
      {texts.run.from[origin]}
    </span>
  );
}
