type Environment = Readonly<Record<string, string | undefined>>;

/** How the person called this command, such as `npx bron`. Hints are printed in this form. */
export function calledAs(env: Environment): string {
  const script = env["npm_lifecycle_event"];
  // npm sets these variables for every program that it starts.
  if (script === undefined) return env["npm_command"] === "exec" ? "npx bron" : "bron";
  // `npm start` and other scripts cannot take a command, and npx can wherever they can run.
  return script === "bron" ? "npm run -s bron --" : "npx bron";
}

/** The top-level commands, as a test compares them with the program. */
export const commandNames = [
  "approvals",
  "artifacts",
  "audit",
  "backup",
  "brons",
  "budget",
  "chat",
  "completion",
  "connect",
  "demo",
  "doctor",
  "effects",
  "help",
  "logs",
  "mcp",
  "memory",
  "models",
  "open",
  "permissions",
  "questions",
  "restore",
  "run",
  "runs",
  "sandbox",
  "schedule",
  "settings",
  "skills",
  "start",
  "stop",
  "threads",
  "tokens",
  "trust",
  "worker",
] as const;

const ownCommands = new RegExp(
  String.raw`(?<![\w./~-])bron (?=(?:${commandNames.join("|")})\b|[[<])`,
  "g",
);

/**
 * Puts the commands of a text of ours into the form in which this one was called. Not for texts of
 * others, which must be shown as they are.
 */
export function asCalled({ calledAs: form }: { readonly calledAs: string }, text: string): string {
  return form === "bron" ? text : text.replace(ownCommands, () => `${form} `);
}
