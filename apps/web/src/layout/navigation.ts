import { texts } from "../texts.ts";

type PlacePath =
  | "/"
  | "/tasks"
  | "/brons"
  | "/skills"
  | "/approvals"
  | "/memory"
  | "/connections"
  | "/permissions"
  | "/audit"
  | "/usage"
  | "/schedules"
  | "/settings"
  | "/demo";

export interface Place {
  readonly to: PlacePath;
  readonly name: string;
  /** An SVG path in a 24 by 24 box. */
  readonly icon: string;
}

/** The pages for daily work. On a phone they are the bar at the bottom. */
export const dailyPlaces: readonly Place[] = [
  { to: "/", name: texts.places.home, icon: "M12 5v14M5 12h14" },
  {
    to: "/tasks",
    name: texts.places.tasks,
    icon: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  },
  {
    to: "/approvals",
    name: texts.places.approvals,
    icon: "M4 13 6.5 5h11L20 13v6H4ZM4 13h4.500l1.5 3h4l1.5-3H20",
  },
  {
    to: "/brons",
    name: texts.places.brons,
    icon: "M12 3v4M7 7h10a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3v-6a3 3 0 0 1 3-3ZM9 12.500v1M15 12.500v1",
  },
];

const sandbox: Place = {
  to: "/demo",
  name: texts.sandbox.title,
  icon: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
};

const administration: readonly Place[] = [
  { to: "/memory", name: texts.places.memory, icon: "M6 3h12v18l-6-4-6 4Z" },
  {
    to: "/skills",
    name: texts.places.skills,
    icon: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3ZM5 17a3 3 0 0 1 3-3h11M9 8h6",
  },
  {
    to: "/schedules",
    name: texts.places.schedules,
    icon: "M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM12 9v4l2.500 2M4 6l3-3M20 6l-3-3",
  },
  {
    to: "/connections",
    name: texts.places.connections,
    icon: "M9 15 15 9M8 12l-2.5 2.500a3.5 3.5 0 0 0 5 5L13 17M16 12l2.5-2.500a3.5 3.5 0 0 0-5-5L11 7",
  },
  {
    to: "/permissions",
    name: texts.places.permissions,
    icon: "M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6Z",
  },
  { to: "/audit", name: texts.places.audit, icon: "M6 3h9l4 4v14H6ZM9 12h7M9 16h7M9 8h3" },
  { to: "/usage", name: texts.places.usage, icon: "M4 20V10M10 20V4M16 20v-7M21 20H3" },
  {
    to: "/settings",
    name: texts.places.settings,
    icon: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6 7.7 7.700M16.3 16.300l2.1 2.100M5.6 18.400l2.1-2.100M16.3 7.700l2.1-2.1",
  },
];

/** The pages that are needed now and then. The sandbox exists only in demo mode. */
export function otherPlaces(isDemo: boolean): readonly Place[] {
  return isDemo ? [...administration, sandbox] : administration;
}

/** Whether a path shows a conversation. On a phone such a page has no bar at the bottom. */
export function isConversation(pathname: string): boolean {
  return /^\/(?:threads|runs)\/./.test(pathname);
}
