import { useEffect } from "react";
import { useUnsentApprovals } from "../live/approval-queue.ts";
import { texts } from "../texts.ts";

/** Says quietly that choices came faster than the server takes them. The page sends them. */
export function UnsentApprovals() {
  const { size } = useUnsentApprovals();
  useEffect(() => {
    if (size === 0) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [size]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--composer-room,0px)+var(--bar-room)+5rem)] z-30 text-center"
    >
      {size > 0 && (
        <span className="arrive inline-block rounded-full border border-edge bg-surface px-4 py-2 text-sm text-quiet shadow-lg">
          {texts.approval.waitingToSend(size)}
        </span>
      )}
    </div>
  );
}
