import type { ThreadState } from "@bron/protocol";

export const tasksWords = {
  search: "Search tasks",
  searchPlaceholder: "Search titles, answers and people…",
  filter: "Show",
  all: "All",
  states: {
    needs_you: "Needs you",
    working: "Working",
    done: "Done",
    not_done: "Not done",
  } satisfies Record<ThreadState, string>,
  archived: "Archived",
  list: "Tasks",
  none: "No tasks yet",
  noneHint: "Everything you ask for stays here, with its answer.",
  nothingFound: (words: string) => `Nothing found for “${words}”`,
  nothingFoundHint: "Try another word from the task, its answer or the person it went to.",
  searchArchive: "Search the archive",
  showAll: "Show all tasks",
  noneArchived: "Nothing archived",
  noneArchivedHint:
    "Archive a task to take it off your list. You can still find it here, and it comes back when you write in it.",
  noneIn: "Nothing here right now",
  found: (count: number, hasMore: boolean) =>
    count === 1 ? "1 task" : `${count}${hasMore ? "+" : ""} tasks`,
  more: "Show more",
  menu: (title: string) => `Actions for ${title}`,
  pinned: "Pinned",
  pin: "Pin",
  unpin: "Unpin",
  archive: "Archive",
  unarchive: "Move out of archive",
  waiting: (state: string, count: number) => `${state} (${count})`,
  latest: (title: string) => `Latest: ${title}`,
  notChanged: "This task wasn't changed.",
  did: {
    pin: (title: string) => `Pinned “${title}”.`,
    unpin: (title: string) => `Unpinned “${title}”.`,
    archive: (title: string) => `Archived “${title}”.`,
    unarchive: (title: string) => `“${title}” is back in your tasks.`,
  },
} as const;

export const homeWords = {
  needsYou: "Needs you",
  running: "Running",
  recent: "Recent",
  allTasks: "All tasks",
  allWaiting: (count: number) => `Show all ${count}`,
  examples: "Examples",
} as const;

export const paletteWords = {
  title: "Search",
  placeholder: "Search tasks, pages and commands…",
  nothing: (words: string) => `No results for “${words}”`,
  nothingHint: "Try fewer words, or the beginning of one.",
  recent: "Recent tasks",
  tasks: "Tasks",
  brons: "Brons",
  pages: "Pages",
  commands: "Commands",
  newTask: "New task",
  openApprovals: "Open approvals",
  lightTheme: "Use light theme",
  darkTheme: "Use dark theme",
  shortcuts: "Show keyboard shortcuts",
} as const;
