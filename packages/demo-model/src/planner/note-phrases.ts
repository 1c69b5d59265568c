import { cleanTitle, readText, type ClauseContext } from "./clause-text.ts";
import { quotation } from "./quotes.ts";
import { previousMark } from "./reference.ts";
import type { Step } from "./step.ts";

const called =
  "(?:titled|called|named|entitled|with (?:the )?(?:title|name)|under (?:the )?(?:title|name))";
const says =
  ":\\s*|\\s+[-–—]\\s+|,?\\s+(?:saying|that says|which says|reading|that reads|containing|with (?:the )?(?:text|content|contents|body|words|message)|with|and (?:put|write) (?:in it|inside|there))(?::\\s*|,?\\s+)";
const aNote = "(?:(?:a|an|the|another|my|one) )?(?:(?:new|short|quick|little) )?note";

const titledNote = new RegExp(
  `^(?:write|create|make|add|save|take|leave|start|store|put|jot|set up)(?: me| down)? ${aNote} ${called}\\s+(?<title>.+?)(?:\\s*(?:${says})(?<text>.+))?$`,
  "i",
);
const namedNote = new RegExp(
  `^(?:write|create|make|add|save|take|leave)(?: me| down)? ${aNote}\\s+(?<title>${quotation}|\\p{L}[\\p{L}\\d' -]{0,60}?)\\s*(?:${says})(?<text>.+)$`,
  "iu",
);
/** "Write a note Shopping: milk" has a title; "write a note saying milk" has none. */
const isName = new RegExp(`^(?:${quotation}|\\p{Lu})`, "u");
const intoNote = new RegExp(
  `^(?:write|save|store|put|keep|record|note|copy|jot)(?: down)?\\s+(?<text>.+?)\\s+(?:down\\s+)?(?:as|in|into|to|under|inside)\\s+${aNote}\\s+(?:${called}\\s+)?(?<title>.+)$`,
  "i",
);
const intoMyNote =
  /^(?:write|save|store|put|keep|record|copy)(?: down)?\s+(?<text>.+?)\s+(?:as|in|into|to|under|inside)\s+(?:my|the|a)\s+(?<title>.+?)\s+note$/i;
const savedAs =
  /^(?:save|store|keep|record|note|write)(?: down)?\s+(?<text>it|that|this|them|both|the [a-z]+)(?: down)?\s+(?:as|under)\s+(?<title>.+)$/i;
const untitledNote = new RegExp(
  `^(?:(?:write|make|take|add|create|save|leave)(?: me| down)? ${aNote}(?::\\s*|\\s+(?:that|saying|that says|to|of)\\s+)|(?:note|jot|write) down(?::\\s*|\\s+(?:that\\s+)?)|note that\\s+|note:\\s*|remember (?:that|to)\\s+)(?<text>.+)$`,
  "i",
);
const addToNote = /^(?:add|append)\s+.+\s+to\s+(?:my|the|a)\s+(?:.+\s+)?note\b/i;

const listQuestion =
  /^(?:(?:which|what|how many) notes (?:do i have|have i got|are there|exist|did i (?:write|save|make|take)|have i (?:written|saved|made))(?: now| so far)?|(?:list|show|display|get|give|read|tell)(?: me)?(?: of)?(?: all| all of)?(?: (?:my|the|your|existing))?(?: saved)? notes?(?<=s)(?: (?:that )?i have)?|(?:do i have|are there) (?:any )?notes|what are my notes|my notes)$/i;

const readVerb =
  "(?:read|open|show|display|get|fetch|print|view|look up|look at|check|recite)(?: me)?(?: out| back)?(?: to me)?";
const aside = "(?: back| out| aloud| out loud| to me| again| for me)*";
const readItBack = new RegExp(
  `^${readVerb} (?:it|that|this|the note|that note|this note)${aside}$`,
  "i",
);
const readTitled = new RegExp(
  `^(?:${readVerb}|what(?:'s| is) (?:written )?(?:in|on)) (?:(?:my|the|that) )?note (?:${called}\\s+)?(?<title>.+?)${aside}$`,
  "i",
);
const readMy = new RegExp(
  `^(?:${readVerb}|what(?:'s| is) (?:written )?(?:in|on)|what's) (?:(?:my|the) )?(?<title>.+?) note${aside}$`,
  "i",
);
const noteSays = new RegExp(
  `^what (?:(?:does|did) )?(?:my |the )?(?:note (?:${called}\\s+)?(?<after>.+?)|(?<before>.+?) note) (?:says?|contains?|reads?|holds?)$`,
  "i",
);

export function readNoteList(clause: string): readonly Step[] | undefined {
  return listQuestion.test(clause) ? [{ kind: "list" }] : undefined;
}

/** Keeps the end of the clause unchanged, because it may be the user's text. */
export function readNoteWrite(clause: string, context: ClauseContext): readonly Step[] | undefined {
  if (addToNote.test(clause))
    return [{ kind: "unclear", words: clause, reason: "I can replace a note but not add to one." }];
  const unended = clause.replace(/(?:,? please)?[\s.?!]*$/i, "");
  const named = namedNote.exec(clause);
  const match =
    titledNote.exec(clause) ??
    (isName.test(named?.groups?.["title"] ?? "") ? named : null) ??
    intoNote.exec(unended) ??
    intoMyNote.exec(unended) ??
    savedAs.exec(unended);
  if (match !== null) {
    const title = cleanTitle(match.groups?.["title"] ?? "", context);
    const words = match.groups?.["text"];
    if (words === undefined)
      return [
        {
          kind: "unclear",
          words: clause,
          reason: `What should the note "${title}" say?`,
        },
      ];
    return [{ kind: "write", title, text: readText(words, context) }];
  }
  const words = untitledNote.exec(clause)?.groups?.["text"];
  if (words === undefined) return undefined;
  const text = readText(words, context);
  return [
    {
      kind: "write",
      title: text.includes(previousMark) ? "Result" : text.split(/\s+/).slice(0, 5).join(" "),
      text,
    },
  ];
}

export function readNoteRead(words: string, context: ClauseContext): readonly Step[] | undefined {
  const clause = words.replace(/^(?:tell|remind|show) me (?=what)/i, "");
  if (readItBack.test(clause)) {
    return context.lastTitle === undefined
      ? [{ kind: "unclear", words: clause, reason: "Which note do you mean?" }]
      : [{ kind: "read", title: context.lastTitle }];
  }
  const groups = (noteSays.exec(clause) ?? readTitled.exec(clause) ?? readMy.exec(clause))?.groups;
  const title = groups?.["title"] ?? groups?.["after"] ?? groups?.["before"];
  return title
    ?.split(/ notes?,? and (?:my |the )?/i)
    .map((one) => ({ kind: "read", title: cleanTitle(one, context) }));
}
