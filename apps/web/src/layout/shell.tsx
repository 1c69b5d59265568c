import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState } from "react";
import { queries } from "../live/queries.ts";
import { useLive } from "../live/use-live.ts";
import { useWaiting } from "../live/use-waiting.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { DemoBar } from "./demo-bar.tsx";
import { moveRow } from "./move-row.ts";
import { isConversation, otherPlaces } from "./navigation.ts";
import { NewVersion } from "./new-version.tsx";
import { Palette, ShortcutsDialog } from "./lazy-components.ts";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";
import { useKeys } from "./use-keys.ts";
import { UnsentApprovals } from "./unsent-approvals.tsx";

/** The frame of all pages: the menu, what waits for the owner, and the state of the connection. */
export function Shell() {
  const state = useLive();
  const waiting = useWaiting();
  const { data: about } = useQuery(queries.about());
  const { pathname } = useLocation();
  const content = useFocusOnArrival(pathname);
  const [opened, setOpened] = useState<"palette" | "shortcuts">();
  // They stay mounted, because the browser restores the focus when an open dialog is closed.
  const hasOpened = useEver(opened !== undefined);
  const navigate = useNavigate();
  const search = () => setOpened("palette");
  // A dialog that closes late must not close the one that has replaced it.
  const close = (which: typeof opened) =>
    setOpened((before) => (before === which ? undefined : before));
  useKeys({
    "mod+k": () => setOpened((before) => (before === "palette" ? undefined : "palette")),
    "?": () => setOpened("shortcuts"),
    n: () => void navigate({ to: "/" }),
    "/": () => {
      const field = document.querySelector<HTMLInputElement>("main [data-page-search]");
      if (!field) return search();
      field.focus();
      field.select();
    },
    j: () => moveRow(1),
    k: () => moveRow(-1),
  });
  const others = otherPlaces(about?.demoMail === true);
  const hasBars = !isConversation(pathname);
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2"
      >
        {texts.skip}
      </a>
      <Sidebar others={others} waiting={waiting} onSearch={search} />
      {hasBars && <TopBar others={others} onSearch={search} />}
      <div className={cx("min-w-0", hasBars ? "pb-(--bar-room)" : "flex min-h-dvh flex-col")}>
        {about && <DemoBar about={about} />}
        <ConnectionBanner state={state} />
        <NewVersion />
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          className={cx("outline-none", !hasBars && "flex flex-1 flex-col")}
        >
          <Outlet />
        </main>
      </div>
      {hasBars && <BottomBar waiting={waiting} />}
      <UnsentApprovals />
      {hasOpened && (
        <Suspense fallback={null}>
          <Palette
            isOpen={opened === "palette"}
            onClose={() => close("palette")}
            onShortcuts={() => setOpened("shortcuts")}
          />
          <ShortcutsDialog isOpen={opened === "shortcuts"} onClose={() => close("shortcuts")} />
        </Suspense>
      )}
    </div>
  );
}

/** After navigation, moves the focus to the new page, unless the page has placed it itself. */
function useFocusOnArrival(pathname: string) {
  const content = useRef<HTMLElement>(null);
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    if (content.current?.contains(document.activeElement) === false)
      content.current.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}

/** Whether this was ever true. */
function useEver(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return now || was;
}
