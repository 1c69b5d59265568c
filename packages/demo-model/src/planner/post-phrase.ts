import { cleanTitle, readText, type ClauseContext } from "./clause-text.ts";
import { quotation } from "./quotes.ts";
import type { Step } from "./step.ts";

const verb = "(?:post|publish|announce|pin|share|send|write|put(?: up)?)";
const board = "(?:notice ?board|bulletin board|message board|board)";
const lead =
  /^(?:(?:a|the|this) )?(?:note|message|notice|announcement)(?:,? (?:saying|that says|reading|with (?:the )?(?:text|message|words)))?(?::\s*|\s+)/i;

const textFirst = new RegExp(
  `^${verb}\\s+(?<text>.+?)\\s+(?:to|on|onto|in|at)\\s+(?:the |our |my )?(?<board>.+?)\\s+${board}$`,
  "i",
);
const boardNamedLast = new RegExp(
  `^${verb}\\s+(?<text>.+?)\\s+(?:to|on|onto|in|at)\\s+(?:(?:the |our |my )?${board}\\s+(?:called |named )?|#)(?<board>${quotation}|[^\\s#]+)$`,
  "i",
);
const boardFirst = new RegExp(
  `^(?:${verb}|say|tell)\\s+(?:a (?:note|message|notice) )?(?:to|on|onto|in)?\\s*(?:the |our |my )(?<board>\\S+(?: \\S+)?)\\s+${board}\\s*(?::\\s*|,?\\s+(?:that|saying|that says|with (?:the )?(?:text|message|words)):?\\s+|\\s+(?=${quotation}))(?<text>.+)$`,
  "i",
);
const nameless = new RegExp(
  `^(?:post|publish|announce|pin)\\s+(?<text>.+?)\\s+(?:to|on|onto)\\s+(?:the |our |my |a )?${board}$`,
  "i",
);

export function readPost(clause: string, context: ClauseContext): readonly Step[] | undefined {
  if (nameless.test(clause) && !textFirst.test(clause))
    return [{ kind: "unclear", words: clause, reason: "Which board do you mean?" }];
  const match = boardFirst.exec(clause) ?? textFirst.exec(clause) ?? boardNamedLast.exec(clause);
  const words = match?.groups?.["text"];
  if (match === null || words === undefined) return undefined;
  return [
    {
      kind: "post",
      board: cleanTitle(match.groups?.["board"] ?? "", context),
      text: readText(words.replace(lead, ""), context),
    },
  ];
}
