import type { BronStatus, WebRunStatus } from "@bron/protocol";
import { approvalWords } from "./words/approval.ts";
import { auditWords } from "./words/audit.ts";
import { bronsWords } from "./words/brons.ts";
import { cardsWords } from "./words/cards.ts";
import { connectionsWords } from "./words/connections.ts";
import { inboxWords } from "./words/inbox.ts";
import { permissionsWords } from "./words/permissions.ts";
import { runWords } from "./words/run.ts";
import { settingsWords } from "./words/settings.ts";
import { toolWords } from "./words/tools.ts";
import { trustWords } from "./words/trust.ts";
import { usageWords } from "./words/usage.ts";
import { sandboxWords } from "./words/sandbox.ts";

/** Everything that the page says, in one place for translation. */
export const texts = {
  name: "Bron",
  language: "en",
  tab: (title: string, waiting: number): string =>
    `${waiting === 0 ? "" : `(${waiting}) `}${title} · ${texts.name}`,
  demo: "Demo",
  demoMail: "Mail, calendar and Slack are simulated on this machine.",
  demoModel: "A scripted model answers, since no key is set.",
  composerLabel: "What is to be done?",
  composerPlaceholder:
    "For example: find the latest invoice with a PDF, extract the key fields, and send a summary to …",
  begin: "Begin",
  beginning: "Beginning…",
  recent: "Recent",
  tryThis: "Try this",
  attach: "Attach files",
  removeFile: (name: string) => `Remove ${name}`,
  chooseBron: "Who does it",
  welcome: {
    title: "Nothing yet: give Bron its first task.",
    promise:
      "It works in the background and shows what it does. Nothing leaves before you have seen exactly what it is and said yes.",
    demo: "Mail, calendar and Slack are simulated on this machine, so that nothing can go wrong; look at them here:",
  },
  latest: "Latest task",
  allRuns: "All tasks",
  moreSuggestions: (count: number) => `${count} more`,
  fewerSuggestions: "Fewer",
  shortcut: "Ctrl + Enter",
  stop: "Stop",
  stopping: "Stopping…",
  retry: "Try again",
  retryHint:
    "A new run of the same task: what was completed is reused, and nothing is sent a second time unasked.",
  notStopped: "It could not be stopped:",
  loading: "Loading…",
  notFound: "There is nothing here",
  notFoundHint: "The address may be misspelt, or what stood here is gone.",
  toChat: "Back to the chat",
  tryAgain: "Ask again",
  skip: "Skip to the content",
  navigation: "Pages",
  waiting: "waiting for your decision",
  places: {
    chat: "Chat",
    brons: "Brons",
    approvals: "Approvals",
    connections: "Connections",
    permissions: "Permissions",
    audit: "Audit",
    usage: "Usage",
    settings: "Settings",
  },
  palette: {
    title: "Go anywhere",
    placeholder: "Go to a page or a task…",
    nothing: "Nothing has these words.",
    page: "Page",
    task: "Task",
    part: "Part of a task",
  },
  connection: {
    live: "Live",
    reconnecting: "Reconnecting…",
    offline: "Offline.",
    polling: "Live updates paused.",
  },
  connectionHint: {
    live: "",
    reconnecting: "What you see is the last that is known.",
    offline: "Live updates paused until there is a network again.",
    polling: "Asking every few seconds instead.",
  },
  notification: {
    title: "Bron needs your decision",
    body: (count: number) => (count === 1 ? "One approval waits." : `${count} approvals wait.`),
  },
  more: "More",
  save: "Save",
  saving: "Saving…",
  saved: "Saved.",
  discard: "Leave it as it was",
  undone: "Nothing was changed: what you see is as it was.",
  cancel: "Cancel",
  confirm: { no: "No, leave it" },
  trust: trustWords,
  toolGroups: {
    gmail: "Mail",
    calendar: "Calendar",
    slack: "Slack",
    web: "The web",
    documents: "Documents",
    general: "General",
  } as Readonly<Record<string, string>>,
  brons: bronsWords,
  permissions: permissionsWords,
  audit: auditWords,
  connections: connectionsWords,
  settings: settingsWords,
  usage: usageWords,
  you: "You",
  thinking: "Working…",
  arguments: "Asked for",
  result: "Result",
  notConnected: (name: string) => `${name} is not connected.`,
  providers: { google: "Google", slack: "Slack" } as Readonly<Record<string, string>>,
  connectTo: (provider: string): string => `Connect ${texts.providers[provider] ?? provider}`,
  disconnect: "Disconnect",
  disconnectFrom: (name: string) => `Disconnect ${name}`,
  run: runWords,
  inbox: inboxWords,
  approval: approvalWords,
  cards: cardsWords,
  simulator: sandboxWords,
  status: {
    queued: "Queued",
    running: "Running",
    needs_approval: "Needs approval",
    needs_auth: "Needs an account",
    succeeded: "Done",
    completed: "Done",
    in_part: "Not all done",
    failed: "Failed",
    canceled: "Stopped",
    idle: "Idle",
  } satisfies Record<WebRunStatus | BronStatus | "in_part", string>,
  tools: toolWords,
} as const;
