import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { texts } from "../texts.ts";
import { queries } from "./queries.ts";

/** How many decisions wait; on the tab's icon where the browser has that, and as a notification if the owner asked for it. */
export function useWaiting(): number {
  const { data } = useQuery(queries.pendingApprovals());
  const navigate = useNavigate();
  const count = data?.length ?? 0;
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (!data) return;
    const ids = new Set(data.map(({ id }) => id));
    const fresh = known.current && data.filter(({ id }) => known.current?.has(id) === false);
    known.current = ids;
    const [first, ...others] = fresh ?? [];
    // To where it can be decided.
    const go = () =>
      void (first && others.length === 0
        ? navigate({ to: "/runs/$runId", params: { runId: first.runId } })
        : navigate({ to: "/approvals" }));
    if (first) tell(count, go);
    void setBadge(count);
  }, [data, count, navigate]);
  return count;
}

/** Says that something waits, not what: others may look at the screen. */
function tell(count: number, go: () => void): void {
  if (
    typeof Notification === "undefined" ||
    Notification.permission !== "granted" ||
    !document.hidden
  )
    return;
  // In the place of the one before, but heard like a new one. Not every browser's types know that it can be.
  const options: NotificationOptions & { readonly renotify: boolean } = {
    body: texts.notification.body(count),
    tag: "bron-approvals",
    renotify: true,
  };
  const notification = new Notification(texts.notification.title, options);
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
    go();
  });
}

async function setBadge(count: number): Promise<void> {
  const { setAppBadge, clearAppBadge } = navigator as Partial<
    Pick<Navigator, "setAppBadge" | "clearAppBadge">
  >;
  await (count === 0 ? clearAppBadge?.call(navigator) : setAppBadge?.call(navigator, count))?.catch(
    () => undefined,
  );
}
