export const sandboxWords = {
  link: "Simulated world",
  title: "The simulated world",
  about:
    "Mail, calendar and Slack as they are out there, read past Bron: what it really did, whatever it says.",
  account: "Whose",
  tabs: {
    happened: "What happened",
    mail: "Mail",
    calendar: "Calendar",
    slack: "Slack",
    calls: "Calls",
  },
  nothingHappened:
    "Nothing has left so far: no mail was sent, no event entered, nothing written to Slack.",
  boards:
    "Boards are not here: they are files in Bron's own folder, and what was posted to them stands in its task.",
  noCalls: "No call has changed anything so far, or met a fault.",
  callsAbout:
    "The calls that changed something or met a fault, newest first. Those that only read are not here.",
  callColumns: ["When", "Method", "Answer", "What it changed, or met"],
  byBron: "through Bron",
  byHand: "by the owner's own hand",
  faults: "Let something go wrong",
  faultsOn: (count: number) => `${count} on`,
  mend: "Mend everything",
  reset: "Begin anew",
  sureReset: {
    title: "Begin anew?",
    words: "Mail, calendar and Slack are put back to the beginning. Tasks and their logs stay.",
    yes: "Yes, begin anew",
  },
  folders: { inbox: "Inbox", sent: "Sent", drafts: "Drafts" },
  empty: "Nothing is here.",
  private: "private",
  /** As much of a folder as is shown. */
  folderSize: (name: string, count: number, most: number) =>
    `${name} (${count < most ? count : `newest ${most}`})`,
  calendarSpan: "From a week ago to four weeks from now.",
} as const;
