import type { MailWords } from "./mail-words-shape.ts";

export const englishWords: MailWords = {
  doing: {
    search: "search your mail",
    message: "read the mail",
    thread: "read the conversation",
    attachment: "fetch the attachment",
    document: "read the document",
    fields: "have the fields checked",
    draft: "write the draft",
    sendDraft: "send the draft",
    send: "send the mail",
    reply: "send the reply",
  },
  colon: ":",
  fieldNames: {},
  next: (what, detail) => `Next: ${what}${detail === "" ? "" : ` (${detail})`}.`,
  finished: "Nothing is left to call, so I report what came back.",
  found: (count, query) =>
    `I searched your mail for ${query} and found ${count === 1 ? "one mail" : `${count} mails`}.`,
  nothingFound: (queries) => `I found no such mail. I searched for: ${queries.join("; ")}.`,
  loosened: (query) => `Nothing fitted exactly, so I searched more loosely: ${query}.`,
  readMail: (subject, from, day) => `I read "${subject}" from ${from}, ${day}.`,
  noAttachment: (subject) =>
    `"${subject}" has no attachment that I can read, so I took the mail's own text.`,
  readFile: (filename) => `I read ${filename}.`,
  fieldsOf: (source) => `What ${source} says:`,
  noFields: (source) => `I found no fields in ${source}, so I wrote nothing.`,
  notInDocument: (keys) => `Not found in it: ${keys}.`,
  cut: (source) => `${source} was longer than what I could read; there may be more in it.`,
  drafted: (subject, to, draftId) =>
    `I wrote the draft "${subject}" to ${to} (draft ${draftId}). It is not sent.`,
  sent: (subject, to, messageId, sentAt) =>
    `I sent "${subject}" to ${to}: message ${messageId}, sent at ${sentAt}.`,
  replied: (to, messageId, sentAt) =>
    `I replied to ${to}: message ${messageId}, sent at ${sentAt}.`,
  failed: (what, message) => `I could not ${what}: ${message}`,
  denied: (what, message) => `I did not ${what}, because it was not allowed: ${message}`,
  unknown: (what, message) =>
    `I tried to ${what}, but it is unknown whether that happened: ${message} Please check before it is done again.`,
  notReached: (what) => `I did not get to this: ${what}.`,
  onlyMail: (others) =>
    `I did the part about mail only, and not this: ${others}. Please ask for it by itself.`,
  noTool: (what, name) => `I cannot ${what}: I was given no tool for it (${name}).`,
  whichAddress:
    "To which address should it go? I take addresses from your words only, and there was none.",
  whatText: "What should the mail say? I write only what you tell me, or what I find in your mail.",
  noDraft: "I know of no draft that you could mean.",
  condition: "it depends on something that has yet to happen, and I can only do things now",
  wrote: (from, day, subject) => `${from} wrote on ${day} ("${subject}"):`,
  counted: (count, hasMore, query) =>
    `There ${count === 1 ? "is one mail" : `are ${hasMore ? "more than " : ""}${count === 0 ? "no" : count} mails`} for ${query}.`,
  line: (day, from, subject) => `- ${day}, ${from}: ${subject}`,
  emptyMail: "The mail has no text.",
  summarySubject: (subject) => `Summary: ${subject}`,
  bodyStart: (source, subject, from, day) =>
    `Hello,\n\nhere is a summary of ${source} ("${subject}" from ${from}, ${day}):`,
  bodyEnd: "Kind regards",
};
