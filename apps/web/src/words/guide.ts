export const guideWords = {
  title: "Get started",
  demo: {
    title: "Try the demo",
    words: "Sample accounts and a demo model. Nothing reaches real people.",
    start: "Run an example",
    sandbox: "Open the sandbox",
  },
  connect: "Connect your own",
  model: {
    title: "Choose an AI model",
    done: (model: string) => `Using ${model}`,
    todo: "Add a key, or use a model on this computer",
    found: (server: string) => `${server} is running on this computer and needs no key`,
  },
  accounts: {
    google: "Connect Google",
    slack: "Connect Slack",
  },
  accountTodo: {
    google: "For email and calendar",
    slack: "For channels and messages. Optional",
  },
  accountDone: (account: string) => `Connected as ${account}`,
  simulated: "Simulated for now",
  setUp: "Set up",
  setUpFor: {
    model: "Set up an AI model",
    google: "Set up a Google account",
    slack: "Set up a Slack workspace",
  },
  states: { done: "Done", todo: "To do" },
  dismiss: "Hide guide",
  show: "Show setup guide",
  findAgain: "You'll find this again under Connections.",
} as const;
