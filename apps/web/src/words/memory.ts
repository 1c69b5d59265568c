import type { MemoryKind } from "@bron/protocol";

export const memoryWords = {
  about:
    "What your Brons remember about you. Confirmed entries are used in your tasks. Suggestions are not, until you confirm them.",
  suggestions: "Suggestions",
  suggestionsAbout:
    "Bron noted these while it was reading text that others wrote. Check where each one came from before you confirm it.",
  confirmed: "Confirmed",
  empty: "Nothing remembered yet",
  emptyAbout:
    "Say “Remember that I prefer short emails” in any task, or add something here. Bron uses it in later tasks.",
  noneFound: "Nothing found",
  noneFoundAbout: "Try another word, or choose another Bron.",
  search: "Search memory",
  forWhom: "Used by",
  everyBron: "All Brons",
  add: "Add memory",
  adding: "Adding…",
  text: "What should Bron remember?",
  placeholder: "e.g. I prefer short emails",
  kind: "About",
  kinds: {
    fact: "A fact",
    preference: "A preference",
    person: "A person",
    rule: "A standing wish",
  } satisfies Record<MemoryKind, string>,
  kindTags: {
    fact: "Fact",
    preference: "Preference",
    person: "Person",
    rule: "Standing wish",
  } satisfies Record<MemoryKind, string>,
  confirm: "Confirm memory",
  confirmOne: (text: string) => `Confirm “${text}”`,
  edit: "Edit",
  editOne: (text: string) => `Edit “${text}”`,
  editTitle: "Edit memory",
  forget: "Forget",
  forgetOne: (text: string) => `Forget “${text}”`,
  sureForget: {
    title: "Forget this?",
    words:
      "Bron removes the text, and the sentences of its memory summaries that contain it. The log of the task in which it was said stays, until you delete the conversation.",
    yes: "Forget memory",
  },
  byYou: "Added by you",
  fromYourWords: "From your words",
  from: "From",
  openTask: "Open task",
  bronTitle: "Memory",
  bronOn: "Remember things about me",
  bronOnAbout:
    "When this is off, this Bron neither saves nor uses what is remembered, and its summary isn't renewed.",
  lastUpdate: "Last update of the summary",
  undo: "Undo update",
  all: "Open memory",
} as const;
