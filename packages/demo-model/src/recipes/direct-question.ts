const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const questionWords = setOf("what which who whom whose when where why how whether if");
const subjects = setOf("i you we they he she it");
const singular = setOf("he she it");
const auxiliaries = setOf("am is are was were should can could will would must may");
const swapped: Readonly<Record<string, string>> = {
  i: "you",
  me: "you",
  my: "your",
  mine: "yours",
  myself: "yourself",
  you: "I",
  your: "my",
  yours: "mine",
};
/** Common verbs whose past form does not end in -ed. */
const pastForms = setOf(
  "went left bought saw said had did got took made came put gave found thought told met sent paid kept wrote ate lost",
);

/**
 * Turns what a person wants to be asked into a question: "how many chairs we need" becomes "How
 * many chairs do we need?". Words without a rule become "Please tell me ...".
 */
export function directQuestion(words: string): string {
  const all = words.split(/\s+/);
  const first = all[0]?.toLowerCase() ?? "";
  if (!questionWords.has(first)) return `${capitalize(thing(all))}?`;
  const subjectAt = all.findIndex((word) => subjects.has(word.toLowerCase()));
  const toAt = all.findIndex((word) => word.toLowerCase() === "to");
  if (toAt > 0 && (subjectAt === -1 || toAt < subjectAt)) {
    const phrase = first === "whether" || first === "if" ? [] : all.slice(0, toAt);
    return ask([...phrase, "would you like", ...forOwner(all.slice(toAt))]);
  }
  // The question word is the subject: "which day suits me".
  if (subjectAt === -1) return ask(forOwner(all));
  const phrase = first === "whether" || first === "if" ? [] : all.slice(0, subjectAt);
  const [subject = "", verb = "", ...rest] = all.slice(subjectAt);
  const asked = invert(subject.toLowerCase(), verb.toLowerCase());
  return asked
    ? ask([...phrase, ...asked, ...forOwner(rest)])
    : `Please tell me ${forOwner(all).join(" ")}.`;
}

/** The verb before its subject, for the person who is asked. Undefined for verbs in the past. */
function invert(subject: string, verb: string): string[] | undefined {
  const person = swapped[subject] ?? subject;
  if (auxiliaries.has(verb)) return [agree(person, verb), person];
  if (verb === "" || pastForms.has(verb) || /(?<!e)ed$/.test(verb)) return undefined;
  return singular.has(subject) ? ["does", person, baseForm(verb)] : ["do", person, verb];
}

function agree(person: string, verb: string): string {
  const isBe = verb === "am" || verb === "is" || verb === "are";
  if (person === "you") return isBe ? "are" : verb === "was" ? "were" : verb;
  return person === "I" && isBe ? "am" : verb;
}

function baseForm(verb: string): string {
  if (verb === "has") return "have";
  if (/(?:o|ss|sh|ch|x)es$/.test(verb)) return verb.slice(0, -2);
  return verb.endsWith("s") ? verb.slice(0, -1) : verb;
}

/** "my name" and "for the address" are asked for with "What is". */
function thing([first = "", ...rest]: readonly string[]): string {
  const named = first.toLowerCase() === "for" ? rest : [first, ...rest];
  return /^(?:my|your|our|the|his|her|their)$/i.test(named[0] ?? "")
    ? ["what is", ...forOwner(named)].join(" ")
    : [first, ...rest].join(" ");
}

const forOwner = (words: readonly string[]) =>
  words.map((word) => swapped[word.toLowerCase()] ?? word);
const ask = (words: readonly string[]) => `${capitalize(words.join(" "))}?`;
const capitalize = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
