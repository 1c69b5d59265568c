import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Icon } from "./icon.tsx";
import { dailyPlaces } from "./navigation.ts";

/** The menu of a phone. `data-bottom-bar` makes room for it in styles.css. */
export function BottomBar({ waiting }: { readonly waiting: number }) {
  return (
    <nav
      data-bottom-bar
      aria-label={texts.navigation}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-edge bg-ground/95 pb-[env(safe-area-inset-bottom)] backdrop-blur md:hidden print:hidden"
    >
      <ul className="grid h-14 grid-cols-4">
        {dailyPlaces.map(({ to, name, icon }) => (
          <li key={to} className="min-w-0">
            <Link
              to={to}
              activeOptions={{ exact: to === "/" }}
              className="flex h-full flex-col items-center justify-center gap-0.5 text-[0.7rem] text-quiet no-underline -outline-offset-2"
              activeProps={{ className: "font-medium !text-ink", "aria-current": "page" }}
            >
              <span className="relative">
                <Icon path={icon} />
                {to === "/approvals" && waiting > 0 && (
                  <span className="absolute -top-1.5 left-3.5 min-w-4.5 rounded-full bg-accent px-1 text-center text-[0.65rem] leading-4.5 font-semibold text-on-accent">
                    {waiting > 99 ? "99+" : waiting}
                    <span className="sr-only"> {texts.waiting}</span>
                  </span>
                )}
              </span>
              <span className="max-w-full truncate">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
