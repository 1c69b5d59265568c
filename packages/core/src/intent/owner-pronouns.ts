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

/** Whether a mention can only mean the owner: every word of it, such as "me" or "my own address". */
export function isOwnerPronoun(mention: string): boolean {
  const words = mention.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.length > 0 && words.length <= 4 && words.some((word) => pronouns.has(word));
}
