import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { texts } from "../texts.ts";
import { queries } from "./queries.ts";

/** How many decisions wait; on the tab's icon where the browser has that, and as a notification if the owner asked for it. */
export function useWaiting(): number {
  const { data } = useQuery(queries.pendingApprovals());
  const count = data?.length ?? 0;
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (!data) return;
    const ids = new Set(data.map(({ id }) => id));
    const fresh = known.current && data.filter(({ id }) => known.current?.has(id) === false);
    known.current = ids;
    if (fresh && fresh.length > 0) tell(fresh.length);
    void setBadge(count);
  }, [data, count]);
  return count;
}

/** Says that something waits, not what: others may look at the screen. */
function tell(count: number): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted" || !document.hidden) return;
  const notification = new Notification(texts.notification.title, { body: texts.notification.body(count), tag: "bron-approvals" });
  notification.addEventListener("click", () => window.focus());
}

async function setBadge(count: number): Promise<void> {
  const { setAppBadge, clearAppBadge } = navigator as Partial<Pick<Navigator, "setAppBadge" | "clearAppBadge">>;
  await (count === 0 ? clearAppBadge?.call(navigator) : setAppBadge?.call(navigator, count))?.catch(() => undefined);
}
