import type { Origin } from "@bron/protocol";
import { texts } from "../texts.ts";

/** Marks content that came from outside, whatever that content claims. */
export function OriginTag({ origin }: { readonly origin: Origin }) {
  return (
    <span
      title={texts.run.fromHint}
      className="rounded border border-edge px-1.5 text-xs font-normal whitespace-nowrap text-quiet"
    >
      {texts.run.from[origin]}
    </span>
  );
}
