import type { FunctionDeclaration } from "./wire.ts";

/** The name of Bron's plan tool. */
export const planToolName = "plan";

const mailing =
  /\b(?:send|sends|mail(?!s?\b (?:from|about|of|in)\b)|e-?mail|forward|reply|answer|respond|write|tell|invite|notify|schick\w*|sende\w*|maile?|antworte\w*|schreib\w*|leite\w* .*weiter|envoie\w*|envoyer|réponds?\w*|répondre|écris|écrire|transfère\w*)\b/iu;
const notSending =
  /\b(?:(?:do not|don't|without|never) send\w*|nicht (?:ab)?(?:senden|schicken)|schick\w* .*nicht ab|sende\w* .*nicht|n'envoie pas|sans (?:l')?envoyer|only (?:a )?draft)\b/iu;
const entering =
  /\b(?:schedule|book|enter|put|create|plan|set up|arrange|add|invite|block|trage?\w* .*ein|plane\w*|lege? .*an|erstell\w*|vereinbar\w*|planifie\w*|ajoute\w*|crée\w*|inscris|mets|réserve\w*)\b/iu;
const changing =
  /\b(?:move|reschedule|shift|rename|change|postpone|add|update|extend|verschieb\w*|verleg\w*|änder\w*|benenn\w*|füg\w*|déplace\w*|décale\w*|renomme\w*|change\w*|reporte\w*|modifie\w*)\b/iu;

const groups: readonly {
  readonly isMeant: (task: string) => boolean;
  readonly tools: readonly string[];
}[] = [
  {
    isMeant: (task) => mailing.test(task) && !notSending.test(task),
    tools: ["gmail_send", "gmail_reply", "gmail_draft_send", "gmail_sendDraft"],
  },
  { isMeant: (task) => entering.test(task), tools: ["calendar_event_create"] },
  { isMeant: (task) => changing.test(task), tools: ["calendar_event_update"] },
  { isMeant: (task) => /\b(?:post|publish)\b/i.test(task), tools: ["post_note"] },
];

/**
 * The offered tools with effects that the user's own words ask for. Nothing else has been read at
 * this point.
 */
export function nameTools(task: string, declarations: readonly FunctionDeclaration[]): string[] {
  const offered = new Set(declarations.map(({ name }) => name));
  return groups
    .filter(({ isMeant }) => isMeant(task))
    .flatMap(({ tools }) => tools.filter((tool) => offered.has(tool)));
}
