import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Logo } from "./logo.tsx";
import { dailyPlaces, type Place } from "./navigation.ts";
import { NavigationLink } from "./navigation-link.tsx";
import { PaletteButton } from "./palette-button.tsx";
import { RecentTasks } from "./recent-tasks.tsx";

interface SidebarProps {
  readonly others: readonly Place[];
  /** How much waits for the owner. */
  readonly waiting: number;
  onSearch(): void;
}

/** The menu of a wide screen. */
export function Sidebar({ others, waiting, onSearch }: SidebarProps) {
  return (
    <header className="sticky top-0 hidden h-dvh flex-col border-r border-edge bg-ground md:flex">
      <div className="px-3 pt-4 pb-3">
        <Link
          to="/"
          className="flex w-fit items-center gap-2.5 rounded-lg px-2 py-1 text-lg font-semibold tracking-tight text-ink no-underline"
        >
          <Logo />
          {texts.name}
        </Link>
      </div>
      <div className="px-3 pb-2">
        <PaletteButton onClick={onSearch} />
      </div>
      <nav aria-label={texts.navigation} className="min-h-0 flex-1 overflow-y-auto px-3 pb-4">
        <ul className="grid grid-cols-1 gap-0.5">
          {dailyPlaces.map((place) => (
            <li key={place.to}>
              <NavigationLink place={place} waiting={place.to === "/approvals" ? waiting : 0} />
              {place.to === "/tasks" && <RecentTasks />}
            </li>
          ))}
        </ul>
        <hr className="mx-2 my-3 border-edge" />
        <ul className="grid grid-cols-1 gap-0.5">
          {others.map((place) => (
            <li key={place.to}>
              <NavigationLink place={place} />
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
