import { mcpProviderPrefix, problemWords } from "@bron/protocol";
import { approvalWords } from "./words/approval.ts";
import { cardsWords } from "./words/cards.ts";
import { homeWords, paletteWords, tasksWords } from "./words/tasks.ts";
import { pastedWords } from "./words/pasted.ts";
import { placeTexts } from "./words/place.ts";
import { planWords } from "./words/plan.ts";
import { questionWords } from "./words/question.ts";
import { runWords } from "./words/run.ts";
import { sandboxWords } from "./words/sandbox.ts";
import { shellWords } from "./words/shell.ts";
import { statusTexts } from "./words/status.ts";
import { toolTexts } from "./words/tool-texts.ts";

/**
 * The texts of the interface. Those of pages that few people open first are in `words` only, so that
 * the first page does not load them.
 */
export const texts = {
  name: "Bron",
  language: "en",
  /** "(1) Needs approval: Send the invoice · Bron" */
  tab: ({
    title,
    state,
    waiting,
  }: {
    readonly title: string;
    readonly state: string | null;
    readonly waiting: number;
  }): string =>
    `${waiting === 0 ? "" : `(${waiting}) `}${state === null ? "" : `${state}: `}${title} · ${texts.name}`,
  demo: "Demo mode",
  demoMail: "Email, calendar and Slack are simulated. Nothing reaches real people.",
  demoModel: "Using the built-in demo model. Add a model key to use a real one.",
  composerLabel: "What can I do for you?",
  composerPlaceholder:
    "e.g. Find the latest invoice, pull out the key details and email a summary to…",
  composerModel: "AI model for this task",
  composerDefaultModel: "Default model",
  start: "Start",
  starting: "Starting…",
  examples: "Try an example",
  attach: "Attach files",
  removeFile: (name: string) => `Remove ${name}`,
  assignTo: "Assign to",
  welcome: {
    title: "Give Bron its first task",
    promise:
      "Bron works in the background and shows you every step. It won't send or change anything until you've approved it.",
  },
  allRuns: "All tasks",
  moreSuggestions: (count: number) => `Show ${count} more`,
  fewerSuggestions: "Show less",
  shortcut: "Shift Enter for a new line",
  stop: "Stop",
  stopping: "Stopping…",
  retry: "Retry",
  retryHint:
    "Runs this task again. Finished steps are reused, and nothing is sent twice without asking you.",
  notStopped: "Couldn't stop this task.",
  problems: problemWords,
  loading: "Loading…",
  notFound: "Page not found",
  notFoundHint: "Check the link, or go back home.",
  missingHint: "The link may be wrong, or you may not have access.",
  goHome: "Go home",
  tryAgain: "Try again",
  skip: "Skip to content",
  navigation: "Main menu",
  waiting: "waiting for you",
  shell: shellWords,
  places: {
    home: "New task",
    tasks: "Tasks",
    memory: "Memory",
    brons: "Brons",
    skills: "Skills",
    approvals: "Approvals",
    connections: "Connections",
    permissions: "Permissions",
    audit: "Activity log",
    usage: "Usage",
    schedules: "Schedules",
    settings: "Settings",
  },
  palette: paletteWords,
  home: homeWords,
  tasks: tasksWords,
  connection: {
    live: "Live",
    reconnecting: "Reconnecting…",
    offline: "Offline.",
    polling: "Live updates are off.",
  },
  connectionHint: {
    live: "",
    reconnecting: "You're seeing the last saved state.",
    offline: "We'll reconnect when you're back online.",
    polling: "Refreshing every few seconds.",
  },
  notification: {
    title: (isQuestion: boolean) =>
      isQuestion ? "Bron has a question" : "Bron needs your approval",
    body: (approvals: number, questions: number) => {
      const what = [
        ...(approvals === 0 ? [] : [approvals === 1 ? "1 approval" : `${approvals} approvals`]),
        ...(questions === 0 ? [] : [questions === 1 ? "1 question" : `${questions} questions`]),
      ].join(" and ");
      return `${what} ${approvals + questions === 1 ? "is" : "are"} waiting`;
    },
  },
  more: "Load more",
  save: "Save",
  saving: "Saving…",
  saved: "Saved",
  discard: "Discard changes",
  notSaved: "Your change wasn't saved.",
  cancel: "Cancel",
  /** What only developers need is folded below this. */
  details: "Details",
  toolGroups: {
    gmail: "Email",
    calendar: "Calendar",
    slack: "Slack",
    web: "Web",
    documents: "Documents",
    general: "General",
  } as Readonly<Record<string, string>>,
  you: "You",
  working: "Working…",
  waitingFor: (program: string) => `Waiting for the ${program}`,
  input: "Input",
  output: "Output",
  notConnected: (name: string) => `${name} isn't connected.`,
  providers: { google: "Google", slack: "Slack" } as Readonly<Record<string, string>>,
  providerName: (provider: string): string =>
    texts.providers[provider] ??
    (provider.startsWith(mcpProviderPrefix) ? provider.slice(mcpProviderPrefix.length) : provider),
  connectTo: (provider: string): string =>
    provider.startsWith(mcpProviderPrefix)
      ? `Sign in to ${texts.providerName(provider)}`
      : `Connect ${texts.providerName(provider)}`,
  disconnect: "Disconnect",
  disconnectFrom: (name: string) => `Disconnect ${name}`,
  place: placeTexts,
  plan: planWords,
  pasted: pastedWords,
  question: questionWords,
  run: runWords,
  approval: approvalWords,
  cards: cardsWords,
  sandbox: sandboxWords,
  status: statusTexts,
  tools: toolTexts,
} as const;
