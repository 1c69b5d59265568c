import { texts } from "../texts.ts";

export type PlacePath =
  | "/"
  | "/threads"
  | "/brons"
  | "/approvals"
  | "/connections"
  | "/permissions"
  | "/audit"
  | "/usage"
  | "/settings"
  | "/demo";

export interface Place {
  readonly to: PlacePath;
  readonly name: string;
  /** An SVG path in a 24 by 24 box. */
  readonly icon: string;
  readonly onlyInDemo?: boolean;
}

/** All pages, in the order of the menu. */
export const places: readonly Place[] = [
  { to: "/", name: texts.places.home, icon: "M12 5v14M5 12h14" },
  {
    to: "/threads",
    name: texts.places.threads,
    icon: "M4 5h16v11H9l-5 4ZM8 9h8M8 12h5",
  },
  {
    to: "/brons",
    name: texts.places.brons,
    icon: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20a8 8 0 0 1 16 0",
  },
  { to: "/approvals", name: texts.places.approvals, icon: "M5 12.5 10 17 19 7" },
  {
    to: "/connections",
    name: texts.places.connections,
    icon: "M9 15 15 9M8 12l-2.5 2.5a3.5 3.5 0 0 0 5 5L13 17M16 12l2.5-2.5a3.5 3.5 0 0 0-5-5L11 7",
  },
  {
    to: "/permissions",
    name: texts.places.permissions,
    icon: "M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.500 7-10V6Z",
  },
  { to: "/audit", name: texts.places.audit, icon: "M6 3h9l4 4v14H6ZM9 12h7M9 16h7M9 8h3" },
  { to: "/usage", name: texts.places.usage, icon: "M4 20V10M10 20V4M16 20v-7M21 20H3" },
  {
    to: "/settings",
    name: texts.places.settings,
    icon: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600 7.700 7.700M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100",
  },
  {
    to: "/demo",
    name: texts.sandbox.title,
    icon: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
    onlyInDemo: true,
  },
];
