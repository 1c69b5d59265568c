import type { TextInBrief } from "@bron/protocol";

const lineCount = (lines: number) => (lines === 1 ? "1 line" : `${lines} lines`);

export const pastedWords = {
  list: "Pasted text",
  /** "Pasted text, 34 lines" */
  pasted: ({ lines }: TextInBrief) => `Pasted text, ${lineCount(lines)}`,
  /** "Treated as someone else's text: 12 lines" */
  takenOut: ({ lines }: TextInBrief) => `Treated as someone else's text: ${lineCount(lines)}`,
  hint: "Bron reads pasted text as information. It doesn't count as your words, so Bron asks before it acts on it.",
  withReply: "It's sent along with “Request changes”.",
  added: ({ lines }: TextInBrief) =>
    `Added as pasted text, ${lineCount(lines)}. It doesn't count as your words.`,
  removed: "Pasted text removed.",
  nowWords: "Added to your words.",
  mine: "These are my words",
  mineOf: ({ start }: TextInBrief) => `These are my words: ${start}`,
  remove: ({ start }: TextInBrief) => `Remove pasted text: ${start}`,
  saving: "Saving…",
  isMine: "Marked as your words.",
  /** Above a task or message that a program sent. */
  program: (name: string) =>
    `Sent by the program “${name}”. It doesn't count as your words, so Bron asks before it changes anything.`,
} as const;
