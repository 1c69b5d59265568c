import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Count } from "../ui/badge.tsx";
import { Icon } from "./icon.tsx";
import type { Place } from "./navigation.ts";

interface NavigationLinkProps {
  readonly place: Place;
  readonly waiting?: number;
  onClick?(): void;
}

/** A page in a menu that is a list. */
export function NavigationLink({
  place: { to, name, icon },
  waiting = 0,
  onClick,
}: NavigationLinkProps) {
  return (
    <Link
      to={to}
      {...(onClick && { onClick })}
      activeOptions={{ exact: to === "/" }}
      className="relative flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm whitespace-nowrap text-quiet no-underline transition-colors hover:bg-raised hover:text-ink"
      activeProps={{ className: "bg-raised font-medium !text-ink", "aria-current": "page" }}
    >
      <Icon path={icon} />
      {name}
      <Count count={waiting} label={texts.waiting} />
    </Link>
  );
}
