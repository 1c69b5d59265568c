import { contentWords } from "../mail/content-words.ts";
import type { Scratch } from "../mail/scratch.ts";
import { takeTopic } from "../mail/take-topic.ts";
import { quotation } from "../planner/quotes.ts";
import { foldText } from "../reading/fold-text.ts";

const called = new RegExp(
  `,?\\s*\\b(?:called|titled|named|entitled|with (?:the )?title|namens|mit (?:dem )?(?:titel|namen)|genannt|intitulee?|appelee?|nommee?|avec (?:le )?titre)\\s*:?\\s*(?<title>${quotation}|[^,;]+?)(?=\\s*(?:[,;.!?]|\\s{3,}|$))`,
);
const commands =
  /(?:^|(?<=[\s,.;:!?]))(?:please|bitte|s'il (?:te|vous) plait|can you|could you|would you|kannst du|konntest du|peux-tu|pouvez-vous|pourrais-tu|schedule|book|plan|put|add|create|set up|arrange|enter|make|block(?: off)?|organi[sz]e|trage?|plane?n?|lege?|erstelle?n?|vereinbare?n?|mache?|setze?|buche?n?|blocke?n?|blockiere?n?|notiere?|eintragen|anlegen|ansetzen|einplanen|planifie[rz]?|programme[rz]?|cree[rz]?|ajoute[rz]?|mets|mettre|mettez|note[rz]?|organise[rz]?|prevois|prevoir|reserve[rz]?|bloque[rz]?|fixe[rz]?|inscris|inscrire|invite[rz]?|lade|send (?:an? )?invit(?:e|ation)(?: to| for)?|for me|fur mich|pour moi|mir|moi|me)(?=[\s,.;:!?]|$)/;
const place =
  /\b(?:(?:in|into|to|on|onto|auf|dans|sur|a)\s+)?(?:(?:my|the|our|meine[nm]?|den|dem|mon|ma|notre|l')\s*)?(?:calendar|diary|agenda|schedule|kalender|terminkalender|calendrier|planning)\b/;
const smallEnds =
  "with|on|at|for|about|from|to|and|of|by|mit|am|um|fur|uber|von|und|im|zum|zur|ein|an|avec|pour|de|a|le|du|et|sur";
const articles =
  /^(?:(?:a|an|the|my|our|einen?|eine[mr]?|den|die|das|der|dem|meinen?|meine|un|une|le|la|mon|ma|another|new|neuen?|nouveau|nouvelle)\s+|l'|d')+/i;

/**
 * Takes the title in the user's own words. Times, guests and lengths must have been taken before.
 */
export function takeTitle(
  scratch: Scratch,
  restore: (text: string) => string,
): { readonly title: string; readonly people: readonly string[] } {
  const quoted = scratch.take(called)?.groups["title"];
  while (scratch.take(commands) !== undefined);
  scratch.take(place);
  const topic = takeTopic(scratch)?.replace(/\s+/g, " ");
  const rest = trimEnds(scratch.text().replace(/\s+/g, " "));
  const people = peopleIn(rest);
  // Quoted words are always the title.
  const own = quoted ?? new RegExp(quotation).exec(rest)?.[0];
  if (own !== undefined) return { title: restore(own.trim()), people };
  const title = [rest, topic === undefined ? "" : trimEnds(topic)]
    .filter((part) => part !== "")
    .join(": ");
  return { title: capitalised(restore(title)), people };
}

function trimEnds(text: string): string {
  const ends = new RegExp(`(?:^|\\s)(?:${smallEnds})$`);
  let words = text.replace(/^[\s,.;:!?-]+|[\s,.;:!?-]+$/g, "").replace(articles, "");
  while (ends.test(foldText(words)))
    words = words.replace(/(?:^|\s)\S+$/, "").replace(/[\s,.;:!?-]+$/, "");
  return words
    .replace(/^(?:with|mit|avec|for|für|pour|to|zu|à|ein|an)\s+(?=\p{Ll})/u, "")
    .replace(articles, "");
}

/** "with Priya and Jonas": names start with a capital. */
function peopleIn(words: string): readonly string[] {
  const [, list = ""] =
    /\b(?:with|mit|avec)\s+((?:\p{Lu}[\p{L}'’-]*(?:\s+(?=\p{Lu})|\s*,\s*|\s+(?:and|und|et)\s+|$|(?=\W)))+)/u.exec(
      words,
    ) ?? [];
  return list
    .split(/\s*,\s*|\s+(?:and|und|et)\s+/)
    .map((name) => name.trim())
    .filter((name) => contentWords(name).length > 0);
}

function capitalised(title: string): string {
  return title.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
