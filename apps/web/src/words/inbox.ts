export const inboxWords = {
  about:
    "Everything that waits for you. Nothing of it happens before you have seen it and said yes.",
  none: "Nothing waits for you.",
  noneHint:
    "When a Bron wants to send, enter or change something, it asks here first: you see exactly what would leave, and decide.",
  list: "Waiting",
  place: (number: number, count: number) => `${number} of ${count}`,
  choose: (place: string, what: string) => `Choose ${place}: ${what}`,
  openFirst: "Open it and read it to its end before it can be part of a choice.",
  risks: (count: number) => (count === 1 ? "1 risk" : `${count} risks`),
  asked: "Asked",
  openRun: "The whole task",
  chosen: (count: number) => (count === 1 ? "1 chosen, and read" : `${count} chosen, and read`),
  approve: (count: number) => `Approve ${count}`,
  deny: (count: number) => `Deny ${count}`,
  clear: "Choose none",
  outcomes: "What came of it",
  undoAll: "Undo all",
  tellMe: "Be told when something waits",
  tellMeHint:
    "This browser can show a note while you look elsewhere. It says that something waits, never what it is.",
  allow: "Ask this browser",
  told: "This browser tells you when something waits.",
  refused:
    "This browser does not allow notes from here: its settings for this page can change that.",
} as const;
