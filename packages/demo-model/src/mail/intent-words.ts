/**
 * Patterns for what a task asks for, in English, German and French. They are written folded, see
 * reading/fold-text.ts.
 */

const clauseStart =
  "(?:^|[,.;:!?]\\s*|\\b(?:and|then|please|you|also|now|just|finally|but|und|dann|bitte|danach|et|puis|ensuite|to)\\s+)";

const sending = new RegExp(
  `\\b(?:send|sends|sending|forward|shoot|dispatch|sende|senden|sendet|schick|schicke|schicken|verschicke?n?|versende?n?|abschicken|weiterleiten|leite|zuschicken|zusenden|envoie|envoies|envoyer|envoyez|expedier?|expediez|transmets|transmettre|transfere|transferer)\\b|${clauseStart}(?:e-?mail|mail|maile)\\b(?!\\s+(?:from|of|about|search|an? den|von|de)\\b)|\\bfais suivre\\b`,
);
const notSending =
  /\b(?:do not|don't|dont|never|not|without|but not|no need to)\s+(?:yet\s+)?(?:actually\s+)?(?:send|sending|mail|e-?mail|forward)|\bnot (?:yet )?(?:be )?sent\b|\bready to (?:be )?sen[dt]\b|\bonly (?:a |the )?draft\b|\bdraft only\b|\bjust (?:a |the )?draft\b|\b(?:nicht|ohne)\b[^.;]{0,25}\b(?:zu )?(?:ab|ver)?(?:senden|schicken|gesendet|geschickt|zusenden)\b|\b(?:sende|schicke?|verschicke)\b[^.;]{0,20}\b(?:noch )?nicht\b|\bnur (?:als |ein(?:en)? |den )?entwurf\b|\bne\b[^.;]{0,12}\benvo\w+ pas\b|\bn'envo\w+ pas\b|\b(?:sans|ne pas) (?:l'|le |la |les )?(?:envoyer|expedier)\b|\b(?:seulement|juste|uniquement) (?:un |le )?brouillon\b/;
const drafting =
  /\b(?:draft|drafts|write|compose|prepare|entwurf|entwirf|entwerfe|entwerfen|schreib|schreibe|schreiben|verfasse?n?|formuliere?n?|erstelle?n?|bereite|redige|rediger|ecris|ecrire|prepare[rz]?|brouillon|compose[rz]?)\b/;
const replying =
  /\b(?:reply|respond|replying|answer(?=\s+(?:to|the|her|his|their|my|[a-z]+'s|[a-z]+ with)|$)|write back|antworte?n?|beantworte?n?|antwort(?=entwurf)|zuruckschreiben|reponds|repondre|repondez|reponse(?= a))\b/;
const extracting =
  /\b(?:extract|extracts|fields?|key (?:data|facts|figures|details|information|info|values|numbers)|pull (?:out|the)?|pick out|read (?:out|off)|capture|important (?:data|details|numbers|information)|details|figures|extrahiere?n?|auslesen|herauslesen|lies|heraus|eckdaten|felder|feldern|kennzahlen|angaben|wichtigsten daten|schlusselfelder|extrais|extraire|extrayez|releve[rz]?|champs|donnees|informations? (?:cles?|importantes?)|chiffres(?: cles?)?|elements? cles?)\b/;
const summarising =
  /\b(?:summar(?:y|ies|ise|ize|ising|izing)|sum (?:it |them |this )?up|gist|recap|overview|zusammenfassung|zusammen|fasse?|uberblick|resume[rz]?|synthese)\b/;
const reading =
  /\b(?:what (?:did|does|do|has|have|is|was|were|are)|what's|tell me what|read|open|says?|who|was (?:hat|haben|schreibt|schrieb|steht|sagt|will|wollte|meint)|lies|lese|lesen|offne|qu'a|qu'est|que (?:dit|disent|veut|ecrit)|quel|quelle|lis|lire|ouvre|wie hoch|wie viel|wann|when|how much|how high|combien coute)\b/;
const counting =
  /\b(?:how many|number of (?:unread|new|mails?|e-?mails?|messages?)|count|wie viele|anzahl (?:der|an|ungelesener)|combien d|nombre d)/;
const finding =
  /\b(?:find|search|look (?:up|for|through)|get|fetch|locate|show|list|check|pull up|dig (?:up|out)|retrieve|grab|take|bring|which|any|is there|are there|do i have|have i|get me|suche?n?|finde?n?|such|hole?n?|zeige?n?|welche|gibt es|habe ich|schaue?n?|nimm|such(?:e)? heraus|cherche[rz]?|trouve[rz]?|recupere[rz]?|recherche[rz]?|montre[rz]?|quels?|quelles?|y a-t-il|liste[rz]?|prends|ai-je)\b/;
const mail =
  /\b(?:e-?mails?|mails?|messages?|inbox|mailbox|threads?|correspondence|gmail|nachricht(?:en)?|posteingang|postfach|courriels?|courriers?|boite (?:de reception|mail|aux lettres)|messagerie)\b/;
/** A question about what a person wrote is about mail. */
const wroteToMe =
  /\b(?:what (?:did|does|has)|did|has)\s+\S+(?:\s+\S+)?\s+(?:write|wrote|written|say|said|send|sent|reply|replied|answer|answered)\b|\b(?:was\s+)?(?:hat|schrieb|schreibt)\b.{1,60}\b(?:geschrieben|geschickt|gesendet|geantwortet|gesagt)\b|\bwas (?:schreibt|schrieb)\b|\bqu'(?:a|ont) (?:ecrit|dit|envoye|repondu)\b/;
const several =
  /\b(?:which|list|all|any|every) (?:(?:my|the|of|unpaid|open|new|recent) )*(?:[\w'-]+ )?(?:invoices|bills|orders|receipts|quotes|offers|contracts|reports|statements)\b|\b(?:welche|alle|liste)\b.*\b(?:rechnungen|bestellungen|angebote|vertrage)\b|\b(?:quelles?|quels|toutes|tous|liste)\b.*\b(?:factures|commandes|devis|contrats)\b/;
const manyMails =
  /\b(?:mails|e-?mails|messages|inbox|nachrichten|posteingang|courriels|boite de reception)\b/;
const waiting =
  /(?:^|[.;,!?]\s*)(?:if|when(?! (?:is|was|are|were|does|do|did|will|has)\b)|whenever|once|as soon as|every|each|unless|in case|wenn|falls|sobald|jede[nsrm]?|immer|si|quand(?! (?:est|sont)\b)|lorsque|des que|chaque)\s|\b(?:if|unless|falls|sobald|tomorrow|next (?:week|month)|demain|every (?:day|week|month|morning)|ubermorgen|(?:schicke?|sende?|send) (?:es|sie|it)? ?(?:erst )?(?:morgen|later))\b/;
const everyone =
  /\b(?:reply[- ]all|reply to (?:all|everyone|everybody)|answer (?:all|everyone)|an alle|allen|repondre a tous|reponds a tous|a tout le monde)\b/;
const attaching =
  /\b(?:attach|attaching|as an attachment|include the (?:file|pdf|document)|(?:pdf|file|document|invoice|csv|original) attached|forward|hange?|anhangen|beifugen|fuge|als anhang|leite|weiterleiten|joins|joindre|en piece jointe|transfere[rz]?|fais suivre)\b/;
const pastTalk =
  /\b(?:it|that|this|them|those|these|the draft|the same|es|ihn|sie|den entwurf|das|le|la|les|ca|cela|le brouillon)\b|-(?:le|la|les)\b/;

export const intent = {
  sending,
  notSending,
  drafting,
  replying,
  extracting,
  summarising,
  reading,
  counting,
  finding,
  mail,
  wroteToMe,
  several,
  manyMails,
  waiting,
  everyone,
  attaching,
  pastTalk,
} as const;
