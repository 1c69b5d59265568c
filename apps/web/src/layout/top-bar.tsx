import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { texts } from "../texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "./icon.tsx";
import { Logo } from "./logo.tsx";
import type { Place } from "./navigation.ts";
import { NavigationLink } from "./navigation-link.tsx";
import { searchIcon } from "./palette-button.tsx";

const menuIcon = "M4 7h16M4 12h16M4 17h16";

/** The top of a phone's screen: search, and the pages that the bar at the bottom has no room for. */
export function TopBar({
  others,
  onSearch,
}: {
  readonly others: readonly Place[];
  onSearch(): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <header className="flex h-12 items-center px-2 md:hidden">
      <Link
        to="/"
        className="flex items-center gap-2 px-2 text-lg font-semibold tracking-tight text-ink no-underline"
      >
        <Logo />
        {texts.name}
      </Link>
      <span className="ml-auto flex">
        <IconButton label={texts.palette.title} icon={searchIcon} onClick={onSearch} />
        <IconButton label={texts.shell.more} icon={menuIcon} onClick={() => setOpen(true)} />
      </span>
      <Dialog title={texts.shell.more} isOpen={isOpen} onClose={close}>
        <nav aria-label={texts.shell.more}>
          <ul className="grid gap-1">
            {others.map((place) => (
              <li key={place.to}>
                <NavigationLink place={place} onClick={close} />
              </li>
            ))}
          </ul>
        </nav>
      </Dialog>
    </header>
  );
}

function IconButton({
  label,
  icon,
  onClick,
}: {
  readonly label: string;
  readonly icon: string;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-haspopup="dialog"
      onClick={onClick}
      className={cx(buttonClass("quiet"), "size-11 !p-0")}
    >
      <Icon path={icon} />
    </button>
  );
}
