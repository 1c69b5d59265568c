import type { ModelProvider } from "@bron/protocol";

export const connectionsWords = {
  about: "Connect the accounts and AI models your Brons use.",
  accounts: "Accounts",
  connected: "Connected",
  notConnected: "Not connected",
  simulated: "Simulated",
  as: "Signed in as",
  access: "Access",
  willAsk: (name: string) => `${name} will ask you to let Bron:`,
  nothingElse: "That's all Bron asks for. You can disconnect at any time.",
  granted: "allowed",
  notGranted: "not allowed",
  missing: "Some permissions weren't granted. Reconnect to allow them.",
  sureDisconnect: (name: string, account: string) => ({
    title: `Disconnect ${name}?`,
    words: `Bron will lose access to ${account}. Tasks that need it will wait until you reconnect.`,
    yes: "Disconnect",
  }),
  demo: {
    title: "You're using sample accounts",
    words:
      "Email, calendar and Slack belong to a made-up company. Try anything. Nothing reaches real people.",
    look: "Open the sandbox",
    real: "Use your own accounts",
    google:
      "Google: create an OAuth client (about 10 minutes), then restart with GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. Setup guide: docs/connecting-google.md",
    slack:
      "Slack: create a Slack app, then restart with SLACK_BOT_TOKEN. Setup guide: docs/connecting-slack.md",
  },
  none: "No integrations are set up.",
  noneHint: "See the setup guide: docs/connecting-google.md",
  keys: "AI model",
  keysAbout: "Keys are encrypted and never shown again. The most recent one is used.",
  providers: { gemini: "Google Gemini", anthropic: "Anthropic", openai: "OpenAI" } satisfies Record<
    ModelProvider,
    string
  >,
  usesOwn: (provider: string, model: string) => `Using your ${provider} key with ${model}`,
  defaultModel: "the default model",
  usesServer: (model: string) => `Using this server's model: ${model}`,
  usesDemo:
    "You're using the built-in demo model, which only understands the example tasks. Add a key for a real one.",
  noKey: "No key",
  endsWith: (hint: string) => `Ends with ${hint}`,
  isUsed: "In use",
  add: "Add",
  replace: "Replace",
  remove: "Remove",
  addKey: (provider: string) => `Add ${provider} key`,
  replaceKey: (provider: string) => `Replace ${provider} key`,
  removeKey: (provider: string) => `Remove ${provider} key`,
  sureRemove: (provider: string) => ({
    title: `Remove your ${provider} key?`,
    words: "Tasks will use another key, or this server's model.",
    yes: "Remove key",
  }),
  key: "Key",
  keyHint: "We'll test the key, then store it encrypted. Only the last four characters are shown.",
  model: "Model",
  modelHint: "Leave blank for the default.",
  modelNeeded: "Enter a model ID, e.g. gpt-…",
  save: "Test and save",
  testing: "Testing key…",
  untested: (provider: string) =>
    `Couldn't reach ${provider}, so the key was saved without testing.`,
} as const;
