/**
 * Patterns for calendar tasks in English, German and French. They are written folded, see
 * reading/fold-text.ts.
 */

const clauseStart =
  "(?:^|[,.;:!?]\\s*|\\b(?:and|then|please|you|also|now|just|to|bitte|du|und|dann|et|puis|peux-tu|pouvez-vous|pourrais-tu)\\s+)";

const calendar =
  /\b(?:calendars?|diary|agenda|(?:my|the) schedule|kalender|terminkalender|terminplan|termine?n?s?|calendrier|emploi du temps|planning)\b/;
/** These words may also be omitted from an event's title. */
const eventNoun =
  /(?<![a-z#])(?:meetings?|calls?|appointments?|lunch|dinner|breakfast|coffee|events?|1:1s?|one-on-ones?|interviews?|reviews?|sessions?|stand-?ups?|visits?|syncs?|catch-ups?|demos?|trainings?|workshops?|reminder|[a-z]*termine?n?s?|besprechung(?:en)?|treffens?|anrufe?s?|telefonate?s?|gesprache?s?|mittagessen|abendessen|fruhstuck|kaffee|telko|videokonferenz|reunions?|rendez-vous|rdv|appels?|dejeuner|diner|petit-dejeuner|cafe|entretiens?|visites?|point|visio)(?![a-z])/;
const asking =
  /\b(?:what|what's|whats|which|do i|have i|am i|any|anything|show|list|tell|give|read|check|look|summari[sz]e|fasse|resume|was|welche[nrs]?|habe ich|zeige?|gibt es|nenne?|sage?|schau|quels?|quelles?|qu'|que|ai-je|suis-je|montre|donne|dis|liste|y a-t-il|is there|are there|busy)/;
const agenda =
  /\bwhat(?:'s| is| do i have| have i got| am i)\b[^.;]{0,60}\b(?:on|planned|scheduled|coming up|doing)\b|\bwhat do i have\b|\bdo i have (?:any|a|an|something|plans)\b|\bam i busy\b|\b(?:how does|what does) my (?:day|week|morning|afternoon|evening)\b|\bwas (?:steht|habe ich|liegt)\b|\bhabe ich\b[^.;]{0,40}\b(?:vor|termine?)\b|\bwie sieht mein\w* (?:tag|woche|morgen|nachmittag)|\bqu'(?:ai-je|est-ce que j'ai)\b|\bai-je\b|\ba quoi ressemble ma\b/;
const free =
  /\b(?:free|available|availability|openings?|gaps?|slots?|frei|freie[nrsm]?|verfugbar|zeit|lucken?|libres?|disponibles?|disponibilites?|creneaux?|dispo|have (?:any |some )?time|du temps)\b/;
const aboutMe = /\b(?:i|i'm|my|me|ich|mein\w*|mir|je|j'ai|mon|ma|mes|suis-je|ai-je|moi)\b/;
const entering = new RegExp(
  `${clauseStart}(?:schedule|book|plan|put|add|create|set up|arrange|enter|make|block|organi[sz]e|trage?|plane?|lege?|erstelle?|vereinbare?|mache?|setze?|buche?|blocke?|blockiere?|notiere?|planifie[rz]?|programme[rz]?|cree[rz]?|ajoute[rz]?|mets|mettre|mettez|note[rz]?|organise[rz]?|prevois|prevoir|reserve[rz]?|bloque[rz]?|fixe[rz]?|inscris|inscrire|invite[rz]?|lade|send (?:an? )?invit(?:e|ation))\\b|\\b(?:eintragen|anlegen|vereinbaren|ansetzen|einplanen)\\b`,
);
/** Requests that an event would not fulfill. */
const bookings =
  /\b(?:book|reserve|buche?|reserve[rz]?)\b[^.;]{0,20}\b(?:flights?|hotels?|tables?|taxis?|trains?|tickets?|rooms?|cars?|flug|fluge|tisch|zug|zimmer|vol|vols|table|chambre|billets?)\b/;
const moving =
  /\b(?:move|moves|reschedule|shift|postpone|push|bring forward|put off|verschiebe?n?|verlege?n?|umlegen|deplace[rz]?|decale[rz]?|reporte[rz]?|avance[rz]?|repousse[rz]?)\b/;
const renaming =
  /\b(?:rename|retitle|umbenennen|benenne|nenne(?= .+ um\b)|renomme[rz]?|rebaptise[rz]?)\b/;
const inviting =
  /\b(?:add|invite|include|fuge?|hinzufugen|lade|einladen|ajoute[rz]?|invite[rz]?)\b/;
const uninviting =
  /\b(?:remove|uninvite|disinvite|take off|entferne?n?|lade (?=.+ aus\b)|ausladen|retire[rz]?|enleve[rz]?|desinvite[rz]?)\b/;
const cancelling =
  /\b(?:cancel|delete|remove|call off|losche?n?|storniere?n?|streiche?n?|absagen|annule[rz]?|supprime[rz]?)\b|\bsage?\b.+\bab\b/;
const finding =
  /\b(?:when(?:'s| is| are| was| do i| does)|what time is|wann (?:ist|habe|findet|war|sind)|quand (?:est|ai-je|a lieu|sont)|a quelle heure est)\b/;
const repeating =
  /\b(?:every|each|weekly|daily|monthly|jede[nrsm]?|wochentlich\w*|taglich\w*|monatlich\w*|chaque|tous les|toutes les|hebdomadaire)\b/;
const waiting =
  /(?:^|[.;,!?]\s*)(?:if|whenever|once|as soon as|unless|in case|wenn|falls|sobald|si|lorsque|des que)\s|\b(?:if|unless|falls|sobald)\b(?! (?:i|i'm|ich|je)\b)/;

export const calendarSigns = {
  calendar,
  event: eventNoun,
  asking,
  agenda,
  free,
  aboutMe,
  entering,
  bookings,
  moving,
  renaming,
  inviting,
  uninviting,
  cancelling,
  finding,
  repeating,
  waiting,
} as const;
