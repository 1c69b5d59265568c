/** SVG paths in a 24 by 24 box, by prefix of the tool's name. */
const icons: readonly (readonly [string, string])[] = [
  ["gmail", "M3 6h18v12H3ZM3 7l9 7 9-7"],
  ["calendar", "M4 6h16v14H4ZM4 10h16M8 3v4M16 3v4"],
  ["slack", "M9 4 7 20M17 4l-2 16M4 9h17M3 15h17"],
  ["web", "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"],
  ["document", "M6 3h9l4 4v14H6ZM9 12h7M9 16h7M9 8h3"],
  ["plan", "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01"],
];

export function toolIcon(tool: string): string {
  return icons.find(([beginning]) => tool.startsWith(beginning))?.[1] ?? icon.tool;
}

/** Icons of all other timeline items. */
export const icon = {
  tool: "M14.500 6.500a4 4 0 0 0 5 5L12 19a3 3 0 0 1-4-4l7.500-7.500M14.500 6.500l3-3a4 4 0 0 1 2 4.500",
  you: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20a8 8 0 0 1 16 0",
  bron: "M21 12a8 8 0 0 1-8 8H4l2-3.200A8 8 0 1 1 21 12Z",
  line: "M5 12h14",
  warn: "M12 4 2.500 20h19ZM12 10v4M12 17h.01",
  wait: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2",
  link: "M9 15 15 9M8 12l-2.500 2.500a3.500 3.500 0 0 0 5 5L13 17M16 12l2.500-2.500a3.500 3.500 0 0 0-5-5L11 7",
  again: "M4 12a8 8 0 1 1 2.500 5.800M4 19v-4.500h4.500",
  unfold: "M9 6l6 6-6 6",
  child: "M6 4v8a4 4 0 0 0 4 4h8M14 12l4 4-4 4",
  file: "M6 3h9l4 4v14H6ZM14 3v5h5",
  download: "M12 4v11M7 10.500 12 15.500l5-5M5 20h14",
  card: "M4 5h16v14H4ZM4 10h16",
  done: "M5 12.500 10 17 19 7",
} as const;
