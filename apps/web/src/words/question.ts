export const questionWords = {
  title: "Bron has a question",
  answered: "You answered",
  expired: "Nobody answered in time.",
  expiredWithDefault: (answer: string) =>
    `Nobody answered in time, so Bron went on with: ${answer}`,
  canceled: "The task ended before you answered.",
  choices: "Choose an answer",
  other: "Your answer",
  expected: (what: string) => `Type ${what}.`,
  send: "Answer",
  sending: "Sending…",
  byDefault: (answer: string) => `Without an answer, Bron will go on with: ${answer}`,
  pending: "Questions",
  waiting: "Waiting for your answer",
  waited: "Waited for your answer",
} as const;
