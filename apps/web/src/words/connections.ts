import type { ModelProvider } from "@bron/protocol";

export const connectionsWords = {
  about: "Accounts that your Brons work with, and the model that they think with.",
  accounts: "Accounts",
  connected: "Connected",
  notConnected: "Not connected",
  simulated: "Simulated",
  as: "As",
  mayDo: "What it may do",
  willAsk: (name: string) => `If you go on, ${name} asks whether Bron may:`,
  nothingElse: "Nothing else is asked for. You can take it back here at any time.",
  granted: "allowed",
  notGranted: "not allowed",
  missing: "Something was left out: tasks that need it stop and ask. Connect again to allow it.",
  sureDisconnect: (name: string, account: string) => ({
    title: `Disconnect ${name}?`,
    words: `Bron forgets the sign-in of ${account} and tells ${name} so. Tasks that need it wait until it is connected again.`,
    yes: "Yes, disconnect",
  }),
  demo: {
    title: "A company that does not exist",
    words:
      "Mail, calendar and Slack are simulated on this machine, behind the providers' own interfaces: you can try everything, and nothing reaches anybody. Sign-in and consent work as they do at the real ones.",
    look: "Look at the simulated world",
    real: "To use your own accounts",
    google:
      "Google: make an app of your own at Google, and start Bron with GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. docs/connecting-google.md says how, in ten minutes.",
    slack:
      "Slack: make an app in your workspace, and start Bron with SLACK_BOT_TOKEN. docs/connecting-slack.md says how.",
    slackUnless: "Simulated, unless Bron was started with SLACK_BOT_TOKEN.",
  },
  none: "No account can be connected here.",
  noneHint: "Start Bron without keys to have simulated ones, or as docs/connecting-google.md says.",
  keys: "Model keys of your own",
  keysAbout: "Kept encrypted, used for your tasks, and never shown again. The newest one counts.",
  providers: { gemini: "Google Gemini", anthropic: "Anthropic", openai: "OpenAI" } satisfies Record<
    ModelProvider,
    string
  >,
  usesOwn: (provider: string, model: string) =>
    `Your tasks use your key of ${provider}, with ${model}.`,
  usualModel: "its usual model",
  usesUsual: (model: string) => `Your tasks use the model of this Bron: ${model}.`,
  usesScripted:
    "Your tasks use a scripted model, since no key is set: it plans from real results, and only knows the tasks of the demo.",
  noKey: "No key",
  endsWith: (hint: string) => `Ends with ${hint}`,
  isUsed: "in use",
  add: "Add",
  replace: "Replace",
  remove: "Remove",
  addKey: (provider: string) => `Add a key of ${provider}`,
  replaceKey: (provider: string) => `Replace the key of ${provider}`,
  removeKey: (provider: string) => `Remove the key of ${provider}`,
  sureRemove: (provider: string) => ({
    title: `Remove the key of ${provider}?`,
    words: "It is forgotten here. Your tasks use another key of yours, or the model of this Bron.",
    yes: "Yes, remove it",
  }),
  key: "Key",
  keyHint:
    "It goes in and never comes out; only its last four characters are shown. It is tried once, with a question of two words.",
  model: "Model",
  modelHint: "Leave it empty for the usual one of this provider.",
  modelNeeded: "OpenAI has no usual one: name it, as its documentation does.",
  keep: "Try it and keep it",
  trying: "Asking the provider…",
  untried: (provider: string) =>
    `${provider} could not be reached just now: the key is kept, but nobody has tried it.`,
} as const;
