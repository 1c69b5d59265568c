import { foldText } from "../reading/fold-text.ts";

export type Language = "en" | "de" | "fr";

const functionWords: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:the|from|with|and|then|find|send|draft|my|what|did|latest|last|newest|mail me|reply|about|that|an|key|please|get|extract|to|of|how|many|saying|it|days|is|on|at|for|are|there|which|when|this|next|week|tomorrow|calendar|free|schedule|move|rename|add|since|was|channels?|read|does|i|put|do|have|say|says)\b/g,
  de: /\b(?:der|die|das|den|dem|von|vom|mit|und|dann|suche?|finde|sende?|schicke?|entwurf|mein(?:e|en|em|er)?|was|hat|letzten?|neuesten?|antworte|uber|eine[nmr]?|bitte|hole?|an|wie|viele|ungelesene|rechnung|im|fasse?|zusammen|auf|lies|zeige?|ist|es|tage|betreff|ich|bin|am|um|uhr|habe|steht|zum|zur|fur|heute|morgen|wann|welche[nr]?|termine?|kalender|kanale?|diese[rn]?|nachste[nr]?|woche|verschiebe|trage?|ein|lege|plane|benenne|frei|seit|wurde|gibt|sag|zeit|montag|dienstag|mittwoch|donnerstag|freitag|nenne)\b/g,
  fr: /\b(?:le|la|les|des|du|de|avec|et|puis|cherche|trouve|envoie|brouillon|ma|mon|mes|que|qu|dernieres?|derniers?|recente|reponds|sujet|propos|une?|facture|extrais|a|au|aux|combien|non|lus?|dans|redige|resume|montre|est|jours|objet|s'il|moi|je|j'ai|suis|suis-je|ai-je|quels?|quelles?|quand|demain|agenda|cette|semaine|prochaine?|rendez-vous|reunion|canal|canaux|pour|sur|en|mets|deplace|renomme|ajoute|planifie|libre|lundi|mardi|mercredi|jeudi|vendredi|depuis|dit|lis|prix|c'est|quoi|qu'ai-je|mails?(?= non lus))\b/g,
};

/** Detects the language of a task by its function words. Defaults to English. */
export function detectLanguage(task: string): Language {
  const folded = foldText(task);
  const count = (language: Language) => folded.match(functionWords[language])?.length ?? 0;
  return (["en", "de", "fr"] as const).reduce((best, language) =>
    count(language) > count(best) ? language : best,
  );
}
