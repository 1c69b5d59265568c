export const questionWords = {
  title: "Bron has a question",
  answered: "You answered",
  expired: "You didn't answer in time.",
  expiredWithDefault: (answer: string) =>
    `You didn't answer in time, so Bron continued with: ${answer}`,
  canceled: "The task ended before you answered.",
  choices: "Choose an answer",
  other: "Your answer",
  expected: (what: string) => `Type ${what}.`,
  send: "Answer",
  sending: "Sending…",
  byDefault: (answer: string) => `If you don't answer, Bron will continue with: ${answer}`,
  pending: "Questions",
  waiting: "Waiting for your answer",
  waited: "Waited for your answer",
} as const;
