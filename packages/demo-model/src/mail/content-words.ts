import { foldText } from "../reading/fold-text.ts";
import { intent } from "./intent-words.ts";

/** Stop words of a search. */
const empty = new Set(
  (
    "a an the my our your his her their its this that these those it them me i you we he she they of in on at to for from by with without and or but then also please now just all any some every each one ones out up off into as is are was were be been do does did has have had can could would will should " +
    "last latest newest recent most new first next previous past old there here not no yes about which who what when where how many much so thanks thank hi hello hey bron " +
    "mail mails email emails e-mail e-mails message messages inbox mailbox thread threads conversation gmail attachment attachments attached attach file files document documents pdf pdfs csv xlsx excel spreadsheet spreadsheets word unread starred important subject body sender " +
    "find search look get fetch locate show list check pull dig retrieve grab take bring give tell read open say says see want need key fields field data details summary summarise summarize extract draft write compose prepare send sent forward reply respond answer count number came come comes received got arrived wrote written needs everything contains containing having " +
    "der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner mir mich ich du er sie es wir ihr uns und oder aber dann auch bitte nun jetzt alle allen alles jede jeder jedes von vom mit ohne im in an am auf aus bei zu zum zur fur uber nach ist sind war hat haben habe gibt kann konnte soll " +
    "letzte letzten letzter letztes letztem neueste neuesten neuester neuestes neu neue neuen aktuelle aktuellen jungste jungsten nachricht nachrichten posteingang postfach anhang anhange datei dateien dokument dokumente tabelle ungelesen ungelesene ungelesenen wichtigsten betreff absender " +
    "suche such suchen finde finden hole hol zeige zeig zeigen welche welcher welches was wer wie viele viel lies lese lesen offne sage gib schau nimm heraus felder daten zusammenfassung fasse zusammen entwurf schreibe sende schicke antworte geschrieben geschickt gesagt gesendet geantwortet gemeint schrieb schreibt als kamen kam gekommen weiter weiterleiten auslesen leite kannst konntest du moglichst " +
    "le la les l un une des du de d et ou mais puis aussi mon ma mes notre nos ton ta tes ce cet cette ces je tu il elle nous vous ils moi lui leur que qui quoi quel quelle quels quelles dans sur par pour avec sans a au aux en est sont ai as avez y t s n j m c qu " +
    "dernier derniere derniers dernieres nouveau nouvelle nouveaux nouvelles recent recente recents plus courriel courriels courrier mails boite reception piece pieces jointe jointes fichier fichiers tableur non lu lus lue lues objet " +
    "cherche chercher trouve trouver recupere montre montrer liste lis lire ouvre dis donne prends recherche extrais resume redige envoie reponds combien ecrit dit arrive arrivees arrives peux pourrais tu les fais suivre clefs cles s'il plait plais svp stp merci"
  ).split(" "),
);

/** Numbers are kept because "order 4711" identifies an order. */
export function contentWords(text: string): readonly string[] {
  const words = text.match(/[\p{L}\d][\p{L}\d&'’.@/-]*/gu) ?? [];
  const kept = words
    .map((word) => word.replace(/['’]s$/, "").replace(/[.'’/-]+$/, ""))
    .filter((word) => word.length > 1 || /\d/.test(word));
  return [...new Set(kept)].filter((word) => !isEmpty(word));
}

function isEmpty(word: string): boolean {
  const folded = foldText(word);
  return (
    folded.split(/['’-]/).every((part) => empty.has(part)) ||
    [intent.mail, intent.finding, intent.sending].some((pattern) =>
      new RegExp(`^(?:${pattern.source})$`).test(folded),
    )
  );
}
