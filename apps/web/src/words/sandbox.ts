export const sandboxWords = {
  title: "Sandbox",
  about: "See what Bron actually sent and changed in the sample mailbox, calendar and Slack.",
  account: "Account",
  tabs: {
    happened: "Activity",
    mail: "Email",
    calendar: "Calendar",
    slack: "Slack",
    calls: "API calls",
  },
  nothingHappened: "Nothing sent yet",
  noCalls: "No write calls yet",
  callsAbout: "Write calls and failed calls, newest first",
  callColumns: ["Time", "Method", "Status", "Result"],
  byBron: "by Bron",
  byYou: "by you",
  faults: "Simulate failures",
  faultsOn: (count: number) => `${count} on`,
  clearFaults: "Clear failures",
  reset: "Reset sandbox",
  sureReset: {
    title: "Reset the sandbox?",
    words: "Email, calendar and Slack return to their starting state. Your tasks are kept.",
    yes: "Reset sandbox",
  },
  folders: { inbox: "Inbox", sent: "Sent", drafts: "Drafts" },
  empty: "Empty",
  private: "private",
  /** Says how many messages are in a folder, or that only the newest `max` are shown. */
  folderSize: (name: string, count: number, max: number) =>
    `${name} (${count < max ? count : `newest ${max}`})`,
  calendarSpan: "Last week to the next 4 weeks",
} as const;
