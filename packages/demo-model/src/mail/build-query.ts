import type { MailSearch, MailTaskKind } from "./mail-task.ts";

const maxQueries = 3;

/**
 * Builds up to three queries, from the strictest to the broadest. The first uses all criteria. The
 * second allows other names of the document and any of the words. The third drops age and file type
 * and adds related kinds of documents.
 */
export function buildQueries(search: MailSearch, kind: MailTaskKind): readonly string[] {
  const needsAttachment = kind === "document";
  const isFromOthers =
    (needsAttachment || kind === "read" || kind === "reply") &&
    !search.operators.includes("in:sent");
  const {
    sender,
    document = [],
    kin = [],
    words,
    phrases,
    fileTypes,
    hasAttachment,
    age,
    operators,
  } = search;
  const [said] = document;
  const who = sender === undefined ? (isFromOthers ? "-from:me" : "") : `from:${quoted(sender)}`;
  const [firstName = ""] = sender?.split(" ") ?? [];
  const looselyWho =
    sender === undefined
      ? who
      : sender.includes("@")
        ? who
        : quoted(firstName.length > 2 ? firstName : sender);
  const attachment =
    needsAttachment || hasAttachment || fileTypes.length > 0 ? "has:attachment" : "";
  const files = fileTypes.length === 0 ? "" : anyOf(fileTypes.map((type) => `filename:${type}`));
  const newer = age === undefined ? "" : `newer_than:${age}`;
  const named = anyOf(document.map(quoted));
  const exact = phrases.map((phrase) => `"${phrase.replaceAll('"', "")}"`);
  const queries = [
    [
      who,
      said === undefined ? "" : `subject:${quoted(said)}`,
      ...exact,
      ...words,
      attachment,
      files,
      newer,
      ...operators,
    ],
    [who, named, ...exact, said === undefined ? anyOf(words) : "", attachment, newer, ...operators],
    [
      looselyWho,
      anyOf([...document, ...kin].map(quoted)),
      said === undefined ? anyOf(words) : "",
      attachment,
    ],
  ].map((parts) => parts.filter((part) => part !== "").join(" "));
  return queries
    .filter(
      (query, index) => query !== "" && query !== "-from:me" && queries.indexOf(query) === index,
    )
    .slice(0, maxQueries);
}

function quoted(words: string): string {
  return /^[\p{L}\d@._+-]+$/u.test(words) ? words : `"${words.replaceAll('"', "")}"`;
}

function anyOf(terms: readonly string[]): string {
  return terms.length > 1 ? `{${terms.join(" ")}}` : (terms[0] ?? "");
}
