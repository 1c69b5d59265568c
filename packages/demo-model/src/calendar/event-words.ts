import { contentWords } from "../mail/content-words.ts";
import { foldText } from "../reading/fold-text.ts";

/** Words of commands and questions, which do not identify an event. */
const small =
  /^(?:move|moves|moved|reschedule|shift|postpone|push|bring|forward|put|rename|retitle|add|invite|include|remove|uninvite|guest|guests|calendar|diary|agenda|schedule|planned|scheduled|coming|going|doing|busy|day|week|month|morning|afternoon|evening|time|free|when|whats|am|i'm|any|anything|something|plans|occurrence|kalender|verschiebe?n?|verlege?n?|benenne|nenne|umbenennen|fuge?|hinzu|hinzufugen|lade|einladen|entferne?n?|gast|gaste|vor|steht|stehen|liegt|wann|findet|statt|tag|woche|deplace[rz]?|decale[rz]?|reporte[rz]?|avance[rz]?|repousse[rz]?|renomme[rz]?|ajoute[rz]?|retire[rz]?|enleve[rz]?|invite[rz]?|prevus?|prevue|ai-je|qu'ai-je|quand|jour|semaine|calendrier|planning|participants?|participe|look|like|looks|aussehen|sieht|ressemble|lieu|j'ai|est-ce|bin|ich|habe|etwas|was|later|earlier|spater|fruher|by|um)$/;

/** Words that identify an event. "1:1" is one of them. */
export function eventWords(text: string): readonly string[] {
  const tokens = text.match(/[\p{L}\d]+(?:[:'’.@&/-][\p{L}\d]+)*/gu) ?? [];
  const kept = tokens
    .map((token) => token.replace(/['’]s$/, "").replace(/^(?:[ldjLDJ]|qu)['’]/, ""))
    .filter((token) => !small.test(foldText(token)) && contentWords(token).length > 0);
  return [...new Set(kept)];
}
