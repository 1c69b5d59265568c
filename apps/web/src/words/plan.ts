export const planWords = {
  title: "You asked for:",
  nothing: "You didn't ask for any changes, so Bron asks before it makes one.",
  rest: "Bron asks before it changes anything else.",
  forbidden: (words: string) => `You ruled out: “${words}”`,
  crossOut: "Cross out",
  crossOutAsk: (ask: string) => `Cross out: ${ask}`,
  crossedOut: "crossed out",
} as const;
