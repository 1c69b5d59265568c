import { groupApprovals } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { texts } from "../texts.ts";
import { queries } from "./queries.ts";
import { notSnoozed } from "./snoozed.ts";

/**
 * The number of pending approvals and questions. Also sets the app badge where the browser supports it, and shows
 * a notification if the owner has turned them on.
 */
export function useWaiting(): number {
  const { data: approvals } = useQuery({ ...queries.pendingApprovals(), select: notSnoozed });
  const { data: questions } = useQuery(queries.pendingQuestions());
  const data = useMemo(
    () => approvals && questions && [...approvals, ...questions],
    [approvals, questions],
  );
  const navigate = useNavigate();
  // Approvals that are decided together are one.
  const groups = approvals ? groupApprovals(approvals).length : 0;
  const count = groups + (questions?.length ?? 0);
  const seenIds = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (!data) return;
    const ids = new Set(data.map(({ id }) => id));
    const added = data.filter(({ id }) => seenIds.current?.has(id) === false);
    seenIds.current = ids;
    const [first, ...others] = added;
    // Opens the task, or the list if there are several new ones.
    const onClick = () =>
      void (first && others.length === 0
        ? navigate({ to: "/runs/$runId", params: { runId: first.runId } })
        : navigate({ to: "/approvals" }));
    if (first)
      notify({
        title: texts.notification.title(added.every((one) => !("digest" in one))),
        body: texts.notification.body(groups, questions?.length ?? 0),
        onClick,
      });
    void setBadge(count);
  }, [data, groups, questions, count, navigate]);
  return count;
}

/** The notification does not say what is waiting, because others may see the screen. */
function notify({
  title,
  body,
  onClick,
}: {
  readonly title: string;
  readonly body: string;
  onClick(): void;
}): void {
  if (
    typeof Notification === "undefined" ||
    Notification.permission !== "granted" ||
    !document.hidden
  )
    return;
  // Replaces the previous notification but alerts again. TypeScript's DOM types lack `renotify`.
  const options: NotificationOptions & { readonly renotify: boolean } = {
    body,
    tag: "bron-approvals",
    renotify: true,
  };
  const notification = new Notification(title, options);
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
    onClick();
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
