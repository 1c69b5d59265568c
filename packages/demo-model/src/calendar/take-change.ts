import { omitUndefined } from "@bron/protocol";
import type { Language } from "../mail/language.ts";
import { createScratch, type Scratch } from "../mail/scratch.ts";
import { takeRecipients } from "../mail/take-recipients.ts";
import { quotation } from "../planner/quotes.ts";
import { foldText } from "../reading/fold-text.ts";
import { numberOf, numberPattern } from "../when/day-names.ts";
import { takeDays } from "../when/take-days.ts";
import { takeHours } from "../when/take-hours.ts";
import type { EventChange } from "./calendar-task.ts";

const connectors = /(?<![\p{L}\d'’-])(?:to|onto|until|auf|nach|au|à|vers|pour|jusqu'au)\s+/giu;
const filler =
  /(?:at|um|a|the|den|le|please|bitte|instead|stattdessen|plutot|s'il (?:te|vous) plait|o'clock|uhr|[\s,.!?])+/g;

/** Takes the new time: the first "to …" that is followed only by a time. */
export function takeMove(scratch: Scratch, language: Language): EventChange | undefined {
  const text = scratch.text();
  for (const { index, 0: matched } of text.matchAll(connectors)) {
    const tail = createScratch(text.slice(index + matched.length));
    const days = takeDays(tail, language);
    const hours = takeHours(tail) ?? bareHour(tail);
    if (
      (days === undefined && hours === undefined) ||
      foldText(tail.text()).replace(filler, "") !== ""
    )
      continue;
    scratch.take(new RegExp(`(?<=^.{${index}}).*$`, "s"));
    return { kind: "move", ...omitUndefined({ days, hours }) };
  }
  return takeShift(scratch);
}

/** "to 15" at the end of the text. */
function bareHour(tail: Scratch) {
  const hour = Number(tail.take(/^\s*(?<hour>\d{1,2})(?=\s*[.!?]?\s*$)/)?.groups["hour"] ?? "99");
  return hour < 24 ? { start: hour * 60 } : undefined;
}

const shift = new RegExp(
  `(?<![a-z])(?:(?:by|um|de)\\s+|d')(?<count>${numberPattern}|half an|einen|eine halbe|une demi)[ -](?<unit>minutes?|minuten|hours?|stunden?|heures?|days?|tage?n?|jours?|weeks?|wochen?|semaines?)(?![a-z])`,
);
const earlier = /\b(?:earlier|forward|fruher|vor|plus tot|avance[rz]?)\b/;

function takeShift(scratch: Scratch): EventChange | undefined {
  const groups = scratch.take(shift)?.groups;
  if (groups === undefined) return undefined;
  const [count, unit] = [foldText(groups["count"] ?? ""), foldText(groups["unit"] ?? "")];
  const amount = /half|halb|demi/.test(count) ? 0.5 : count === "einen" ? 1 : numberOf(count);
  const minutes =
    amount *
    (unit.startsWith("m")
      ? 1
      : /^(?:h|st)/.test(unit)
        ? 60
        : /^(?:d|t|j)/.test(unit)
          ? 1_440
          : 10_080);
  return { kind: "shift", minutes: scratch.take(earlier) === undefined ? minutes : -minutes };
}

const renames: readonly RegExp[] = [
  new RegExp(
    `\\b(?:rename|retitle)\\s+(?<event>.+?)\\s+(?:to|into|as)\\s+(?<title>${quotation}|.+)$`,
  ),
  new RegExp(
    `\\b(?:benenne|nenne)\\s+(?<event>.+?)\\s+(?:um\\s+)?in\\s+(?<title>${quotation}|.+?)(?:\\s+um)?[\\s.!?]*$`,
  ),
  new RegExp(`(?<event>.+?)\\s+in\\s+(?<title>${quotation}|.+?)\\s+umbenennen[\\s.!?]*$`),
  new RegExp(
    `\\b(?:renomme[rz]?|rebaptise[rz]?)\\s+(?<event>.+?)\\s+en\\s+(?<title>${quotation}|.+)$`,
  ),
];

/** Takes the new title and the words that identify the event. */
export function takeRename(
  scratch: Scratch,
  restore: (text: string) => string,
): { readonly change: EventChange; readonly event: string } | undefined {
  for (const pattern of renames) {
    const { title, event } = scratch.take(pattern)?.groups ?? {};
    if (title !== undefined && event !== undefined)
      return {
        change: { kind: "rename", title: restore(title.trim().replace(/[\s.!?]+$/, "")) },
        event,
      };
  }
  return undefined;
}

export function takeGuests(scratch: Scratch, isRemoval: boolean): EventChange | undefined {
  const { to, cc, bcc } = takeRecipients(scratch);
  const guests = [...to, ...cc, ...bcc];
  if (guests.length === 0) return undefined;
  return { kind: "guests", add: isRemoval ? [] : guests, remove: isRemoval ? guests : [] };
}
