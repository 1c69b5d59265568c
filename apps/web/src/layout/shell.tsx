import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useRoomAtTop } from "../edges.ts";
import { queries } from "../live/queries.ts";
import { useLive } from "../live/use-live.ts";
import { useWaiting } from "../live/use-waiting.ts";
import { texts } from "../texts.ts";
import { Count } from "../ui/badge.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Icon } from "./icon.tsx";
import { places, type Place } from "./navigation.ts";
import { Palette } from "./palette.tsx";

/** The frame of all pages: menu, pending approvals, connection state and demo badge. */
export function Shell() {
  const state = useLive();
  const waiting = useWaiting();
  const { data: about } = useQuery(queries.about());
  const content = useFocusOnArrival();
  const header = useRoomAtTop("--menu-room");
  const menu = useCurrentInSight();
  const shown = places.filter(({ onlyInDemo }) => onlyInDemo !== true || about?.demoMail === true);
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2"
      >
        {texts.skip}
      </a>
      <header
        ref={header}
        className="sticky -top-12 z-20 border-b border-edge bg-ground/95 backdrop-blur md:top-0 md:h-dvh md:border-r md:border-b-0"
      >
        {/* On a phone this row scrolls away and only the menu stays. */}
        <div className="flex h-12 items-center gap-1.5 px-4 md:h-auto md:px-5 md:py-5">
          <Link to="/" className="text-lg font-bold tracking-tight text-ink no-underline">
            {texts.name}
          </Link>
          {about && (about.demoMail || about.demoModel) && (
            <span
              title={[
                ...(about.demoMail ? [texts.demoMail] : []),
                ...(about.demoModel ? [texts.demoModel] : []),
              ].join(" ")}
              className="rounded-full border border-ask-edge bg-ask px-1.5 py-0.5 text-xs font-medium whitespace-nowrap"
            >
              {texts.demo}
            </span>
          )}
          <div className="ml-auto">
            <Palette places={shown} />
          </div>
        </div>
        <nav
          ref={menu}
          aria-label={texts.navigation}
          className="flex gap-1 overflow-x-auto px-2 pb-1 md:flex-col md:px-3 md:pb-2"
        >
          {shown.map((place) => (
            <NavigationLink
              key={place.to}
              place={place}
              waiting={place.to === "/approvals" ? waiting : 0}
            />
          ))}
        </nav>
      </header>
      <div className="min-w-0">
        <ConnectionBanner state={state} />
        <main ref={content} id="content" tabIndex={-1} className="outline-none">
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** After navigation, moves the focus to the new page, unless the page has placed it itself. */
function useFocusOnArrival() {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    if (content.current?.contains(document.activeElement) === false)
      content.current.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}

/** Scrolls the current menu entry into view. On a phone the menu is wider than the screen. */
function useCurrentInSight() {
  const menu = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    menu.current
      ?.querySelector("[aria-current=page]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return menu;
}

function NavigationLink({
  place: { to, name, icon },
  waiting,
}: {
  readonly place: Place;
  readonly waiting: number;
}) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === "/" }}
      className="relative flex items-center gap-2.5 rounded-lg px-3 py-2 text-sm whitespace-nowrap text-quiet no-underline hover:bg-raised hover:text-ink"
      activeProps={{ className: "bg-raised font-medium !text-ink", "aria-current": "page" }}
    >
      <Icon path={icon} />
      {name}
      <Count count={waiting} label={texts.waiting} />
    </Link>
  );
}
