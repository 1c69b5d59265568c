import type { Scratch } from "./scratch.ts";

const stop =
  "(?=\\s*(?:[,.;:!?]|\\b(?:and|then|und|dann|et|puis)\\s+(?:then\\s+)?(?:extract|draft|write|send|summari|tell|read|reply|give|e?-?mail|pull|schick|sende|fass|schreib|lies|antwort|extrahier|envoi|redige|resum|lis|extrai|repond|montre|prepare|entwirf|erstelle|list|show|zeig)|\\b(?:from|von|with|mit|avec|in (?:my|the)|in meine[mrn]|dans (?:ma|mes|mon))\\b|$))";
const leads: readonly RegExp[] = [
  new RegExp(
    `\\b(?:about|regarding|concerning|on the subject of|on the topic of|mentioning|that mentions?|containing|with the words?|re:)\\s+(?<topic>.+?)${stop}`,
    "u",
  ),
  new RegExp(
    `\\b(?:uber|zum thema|wegen|bezuglich|betreffend|zu(?=\\s+(?!lesen|senden|schicken))|die .{1,40} erwahnen)\\s+(?<topic>.+?)${stop}`,
    "u",
  ),
  new RegExp(
    `(?:\\bau sujet (?:de |du |des |d')|\\ba propos (?:de |du |des |d')|\\bconcernant\\s+|\\bmentionnant\\s+|\\bsur\\s+)(?<topic>.+?)${stop}`,
    "u",
  ),
  new RegExp(
    `\\b(?:search|look|suche?n?|cherche[rz]?|recherche[rz]?)\\b[^.;]{0,40}?\\b(?:for|nach|apres)\\s+(?<topic>.+?)${stop}`,
    "u",
  ),
];

/** Takes the topic of the mail out of the text. */
export function takeTopic(scratch: Scratch): string | undefined {
  for (const lead of leads) {
    const topic = scratch.take(lead)?.groups["topic"];
    if (topic !== undefined && topic.trim() !== "") return topic.trim();
  }
  return undefined;
}
