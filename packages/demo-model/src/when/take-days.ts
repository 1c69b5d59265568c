import type { Language } from "../mail/language.ts";
import type { Scratch } from "../mail/scratch.ts";
import { foldText } from "../reading/fold-text.ts";
import type { DayWish } from "./day-wish.ts";
import { dayPattern, readDay } from "./read-day.ts";

/** Words that belong to a day and have no meaning without it. */
const lead =
  "(?:(?<![a-z'])(?:on|for|of|the|from|over|during|by|at|in|within|am|fur|vom|von|aus|den|der|dem|des|die|das|zum|im|le|la|du|de|des|pour|au|en|pendant|dans|l'|d')\\s*)*";
const since = "(?:since|starting|ab|seit|depuis|a partir de)(?: dem| den| le| la| last)?";

/** Takes the days out of the text. Undefined when it names none. */
export function takeDays(scratch: Scratch, language: Language): DayWish | undefined {
  const dayForm = language === "fr" ? `(?:hier(?![a-z])|${dayPattern})` : dayPattern;
  const spanned = scratch.take(
    new RegExp(
      `(?<![a-z\\d])(?:from|between|von|vom|zwischen|du|de|entre)\\s+(?:le |dem )?(?<first>${dayForm})\\s+(?:to|until|till|and|bis|und|au|a|et)\\s+(?:zum |le |dem )?(?<last>${dayForm})(?![a-z\\d])`,
    ),
  );
  const [first, last] = [read(spanned?.groups["first"]), read(spanned?.groups["last"])];
  if (first !== undefined && last !== undefined) return { kind: "span", first, last };
  const sinceDay = read(
    scratch.take(new RegExp(`(?<![a-z])${since}\\s+(?<day>${dayForm})(?![a-z\\d])`))?.groups["day"],
  );
  if (sinceDay !== undefined)
    return {
      kind: "since",
      first: sinceDay.kind === "weekday" ? { ...sinceDay, which: "past" } : sinceDay,
    };
  return read(
    scratch.take(new RegExp(`${lead}(?<![a-z\\d])(?<day>${dayForm})(?![a-z\\d])`))?.groups["day"],
  );
}

function read(words: string | undefined): DayWish | undefined {
  return words === undefined ? undefined : readDay(foldText(words));
}
