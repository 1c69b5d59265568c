/** Words with which people speak of themselves, in the languages that Bron is tested with. */
const pronouns = new Set(
  [
    "me myself i my mine us",
    "mir mich ich mein meine meinem meinen meiner",
    "moi me je mon ma mes",
    "yo mí mi me conmigo",
    "io me mi mio mia",
    "mij me ik mijn mezelf",
    "mnie mi ja mój moje",
  ].flatMap((line) => line.split(" ")),
);

/** Words that may stand beside them: "my own address". */
const besides = new Set("own self address inbox mailbox account email mail the to".split(" "));

/** Whether a mention can only mean the owner, such as "me". "My lawyer" is someone else. */
export function isOwnerPronoun(mention: string): boolean {
  const words = mention.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return (
    words.some((word) => pronouns.has(word)) &&
    words.every((word) => pronouns.has(word) || besides.has(word))
  );
}
