import { formatDuration } from "../duration.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { useNow } from "../use-now.ts";

/** The countdown starts this long before the end. */
const nearMs = 3_600_000;

/** Only in the last hour, where an approval shows no technical things. */
export function NearExpiry({ at }: { readonly at: string }) {
  const isNear = useNow(true, 15_000) > Date.parse(at) - nearMs;
  if (!isNear) return null;
  return (
    <>
      {" · "}
      <Expiry at={at} />
    </>
  );
}

/** When an approval expires, with a countdown in seconds when that is near. */
export function Expiry({ at }: { readonly at: string }) {
  const end = Date.parse(at);
  const isNear = useNow(true, 15_000) > end - nearMs;
  const leftMs = end - useNow(isNear);
  if (leftMs <= 0) return <span className="font-medium text-bad">{texts.approval.expired}</span>;
  return (
    <span>
      {texts.approval.expires} <Time at={at} />
      {isNear && (
        <span className="font-medium text-bad tabular-nums">
          {" "}
          {texts.approval.expiresIn(formatDuration(leftMs))}
        </span>
      )}
    </span>
  );
}
