import { omitUndefined } from "@bron/protocol";
import { noConversation } from "../conversation.ts";
import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { after, type SlotReader } from "../recipe/slot.ts";
import { readChanges } from "../recipe/understand.ts";
import { passedOver } from "./word-lists.ts";
import { counted, fieldOf, listOf, textOf } from "./json.ts";
import { readMath, readValue, type Math } from "./calculate.ts";
import { everything, ownWords, resolveReference, trimmedWords } from "./own-words.ts";

const called = "(?:titled|called|named|entitled|with (?:the )?(?:title|name))";
const says = `(?::\\s*|\\s+[-–—]\\s+|,?\\s+(?:saying|that says|containing|with (?:the )?(?:text|content|contents|body|words)|with)(?::\\s*|,?\\s+))`;
const aNote = "(?:(?:a|an|the|another|my|one) )?(?:(?:new|short|quick) )?note";
const writes =
  "(?:write|create|make|add|save|take|leave|store|put|jot|keep|record|copy)(?: me| down)?";
const into = "(?:as|in|into|to|under|inside)";
/** A text at the end keeps its punctuation. A title at the end does not. */
const textLast = [
  new RegExp(`^(?:${writes} )?${aNote} ${called}\\s+(?<title>.+?)\\s*${says}(?<text>.+)$`, "is"),
  new RegExp(
    `^${writes} ${aNote}\\s+(?<title>${quotation}|[A-Z][\\p{L}\\d' -]{0,60}?)\\s*${says}(?<text>.+)$`,
    "su",
  ),
  new RegExp(
    `^(?:${writes} ${aNote}(?::\\s*|\\s+(?:that|saying|that says|to)\\s+)|(?:note|jot|write) down(?::\\s*|\\s+(?:that\\s+)?)|note that\\s+|remember (?:that|to)\\s+)(?<text>.+)$`,
    "is",
  ),
];
const titleLast = [
  new RegExp(
    `^${writes}\\s+(?<text>.+?)\\s+(?:down\\s+)?${into}\\s+${aNote}\\s+(?:${called}\\s+)?(?<title>.+)$`,
    "is",
  ),
  new RegExp(
    `^${writes}\\s+(?<text>.+?)\\s+${into}\\s+(?:my|the|a)\\s+(?<title>.+?)\\s+note$`,
    "is",
  ),
];

interface Note {
  readonly title: string;
  readonly text: string;
  readonly math?: Math;
}

const note: SlotReader<Note> = (text) => {
  const lower = (words: string) => words.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const match = (forms: readonly RegExp[], words: string) =>
    forms.map((form) => form.exec(lower(words))?.groups).find((groups) => groups !== undefined);
  const found = match(titleLast, trimmedWords(text)) ?? match(textLast, ownWords(text));
  const said = found?.["text"]?.trim();
  if (said === undefined) return undefined;
  text.take(everything);
  const math = /^the (?:result|value|sum|product|difference|average)\b/i.test(said)
    ? readMath(said)
    : undefined;
  return {
    title: (found?.["title"] ?? said.split(/\s+/).slice(0, 5).join(" ")).trim(),
    text: said,
    ...omitUndefined({ math }),
  };
};

interface WriteValues {
  note?: Note;
  calculated?: string;
  text?: string | undefined;
}

export const writeNoteRecipe = defineRecipe<WriteValues>({
  topic: "notes",
  task: "write a note",
  examples: [
    "Write a note titled Shopping: milk, eggs",
    'Save "milk, eggs" as a note named "Weekly shopping".',
    "Make a note called Idea saying Use cats. They are nice.",
    "please put milk and eggs into a note called Food",
    "note down buy stamps",
    "Save it as a note called Answer",
  ],
  phrases: ["note", "note_down|jot_down|write_down|remember_that|remember_to"],
  unless: ["^read|show|open|what|what's|list|post"],
  slots: { note },
  needs: ["note"],
  steps: [
    {
      if: ({ note: wanted }) => wanted?.math,
      call: "calculator",
      with: ({ note: wanted }) => ({ expression: wanted?.math?.expression }),
      doing: ({ note: wanted }) => `calculate ${wanted?.math?.asked}`,
      as: "calculated",
      read: readValue,
    },
    {
      if: ({ calculated }) => calculated,
      say: ({ note: wanted, calculated }) => `${wanted?.math?.asked} = ${calculated}`,
    },
    {
      set: (values) => ({
        text: values.calculated ?? resolveReference(values.note?.text ?? "", values),
      }),
    },
    {
      if: ({ text }) => !text,
      say: ({ note: wanted }) =>
        `I didn't write the note "${wanted?.title}" because it needs the result of another step.`,
      stop: true,
      outcome: "could_not",
    },
    {
      call: "notes_write",
      with: ({ note: wanted, text }) => ({ title: wanted?.title, text }),
      doing: ({ note: wanted }) => `write the note "${wanted?.title}"`,
      isEffect: true,
    },
    { say: ({ note: wanted, text }) => `I wrote the note "${wanted?.title}": ${text}` },
  ],
  result: ({ text }) => text,
});

const reads = "(?:read|open|show|display|get|view|look at|check)(?: me)?(?: out| back)?";
const titleForms = [
  `^what (?:does |did )?(?:my |the )?(?:note (?:${called}\\s+)?(?<after>.+?)|(?<before>.+?) note) (?:says?|contains?|reads?)$`,
  `^(?:${reads}|what(?:'s| is) (?:written )?(?:in|on)) (?:(?:my|the|that) )?note (?:${called}\\s+)?(?<after>.+)$`,
  `^(?:${reads}|what(?:'s| is) (?:written )?(?:in|on)) (?:(?:my|the) )?(?<before>.+?) note$`,
  "^(?:my|the) (?<before>.+?) note$",
].map((form) => new RegExp(form, "i"));

const titles: SlotReader<readonly string[]> = (text) => {
  const words = trimmedWords(text).replace(/^(?:tell|remind|show) me (?=what)/i, "");
  const groups = titleForms.map((form) => form.exec(words)?.groups).find((found) => found);
  if (groups !== undefined) text.take(everything);
  return (groups?.["after"] ?? groups?.["before"])?.split(/ notes?,? and (?:my |the )?/i);
};

export const readNoteRecipe = defineRecipe<{
  titles?: readonly string[];
  texts?: readonly string[];
}>({
  topic: "notes",
  task: "read a note",
  examples: [
    "read my Shopping note",
    "Read the note called Shopping",
    "what does my Shopping note say?",
    "What's in my Shopping note?",
    "Tell me what my Shopping note says.",
  ],
  phrases: ["note"],
  unless: ["^write|create|make|add|save|put|post"],
  slots: { titles },
  needs: ["titles"],
  steps: [
    {
      call: "notes_read",
      with: ({ titles: wanted = [] }) => wanted.map((title) => ({ title })),
      doing: ({ titles: wanted = [] }) => `read the note "${wanted.join('", "')}"`,
      as: "texts",
      read: readValue,
    },
    {
      say: ({ titles: wanted = [], texts = [] }) =>
        wanted.map((title, index) => `Your note "${title}" says: ${texts[index]}`),
    },
  ],
  result: ({ texts = [] }) => texts.join("; "),
});

export const listNotesRecipe = defineRecipe<{ found?: readonly string[] }>({
  topic: "notes",
  task: "list your notes",
  examples: [
    "which notes do I have",
    "List my notes.",
    "What notes are there?",
    "what did i note?",
  ],
  phrases: ["which|list|show|what|my notes", "^what did_i note|write_down"],
  slots: {},
  steps: [
    {
      call: "notes_list",
      doing: "list your notes",
      as: "found",
      read: (result) =>
        listOf(fieldOf(result, "notes") ?? result).map((entry) =>
          typeof entry === "string" ? entry : textOf(entry, "title"),
        ),
    },
    {
      say: ({ found = [] }) =>
        found.length === 0
          ? "You have no notes."
          : `You have ${found.length === 1 ? "one note" : counted(found.length, "note")}: ${found.join(", ")}`,
    },
  ],
  result: ({ found = [] }) => found.join(", "),
});

interface PostValues {
  board?: string;
  text?: string;
  line?: string | undefined;
}

const board = after(/\b(?:to|on|onto) (?:the |my |our )?(?<value>[\w-]+)(?: notice)? board\b/);

export const postRecipe = defineRecipe<PostValues>({
  topic: "boards",
  task: "post to a board",
  examples: [
    'Post "Lunch at noon" to the team board',
    "Please post hello team to the office notice board",
    "Post to the office board: hello team",
    "post a note saying hello team to the office board",
  ],
  phrases: ["^post|publish"],
  slots: {
    board,
    text: after(
      new RegExp(
        `\\b(?:post|publish)\\b(?:\\s+a note)?(?:\\s+saying)?\\s*:?\\s*(?<value>${quotation})`,
      ),
      /\b(?:post|publish)\b(?:\s+a note)?(?:\s+saying)?\s*:?\s*(?<value>\S.*?)[\s.!]*$/s,
      new RegExp(`(?:\\bsay|\\bto|:)\\s*(?<value>${quotation})`),
    ),
  },
  needs: ["board", "text"],
  steps: [
    { set: (values) => ({ line: resolveReference(values.text ?? "", values) }) },
    {
      if: ({ line }) => !line,
      say: ({ board }) =>
        `I didn't post to the ${board} board because it needs the result of another step.`,
      stop: true,
      outcome: "could_not",
    },
    {
      id: "post",
      call: "post_note",
      with: ({ board, line }) => ({ board, text: line }),
      doing: ({ board }) => `post to the ${board} board`,
      isEffect: true,
      onReply: {
        read: ({ words, edit }) => {
          const context = { conversation: noConversation, today: "" };
          const { slots, left } = readChanges({ board }, words, context, passedOver);
          const wanted = slots["board"] as string | undefined;
          const line = textOf(edit, "text");
          return wanted === undefined
            ? undefined
            : { values: { board: wanted, ...(line ? { line } : {}) }, left };
        },
        from: "post",
      },
    },
    { say: ({ line, board }) => `I posted "${line}" to the ${board} board.` },
  ],
  result: ({ line }) => line,
});
