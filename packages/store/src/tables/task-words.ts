import { sentFields } from "@bron/core";

/**
 * Everything that separates words. Postgres itself would take an address or a path as one word, and
 * leave out what looks like a tag.
 */
const separators = `@.,:;/\\-_+#=&?!%~^*|()[]{}<>"\`$–—‘’“”…·«»„•¿¡`;

/**
 * The words of a text, as an expression of SQL. A text is cut, because a vector that becomes too
 * large is an error, and an append must not fail because of what a model wrote.
 */
export const toWords = (text: string) =>
  `strip(to_tsvector('simple', translate(left(lower(${text}), 50000), '${separators}''', '${" ".repeat(separators.length + 1)}')))`;

/** Marks the words with their owner, so that the index leaves out the runs of others. */
export const ownerWord = (owner: string) => `'=' || md5(${owner})`;

/** Whether a row of `task_words` has room for one more text. */
export const hasRoom = (row: string) => `octet_length(${row}.words::text) < 500000`;

/** The recipients, the subject and the title of an effect, as text. See `sentText`. */
export const sentTextOf = (effect: string) =>
  `(select string_agg(distinct sent.value #>> '{}', ' ') from jsonb_path_query(
    jsonb_build_array(${sentFields.map((name) => `${effect}.prepared -> '${name}'`).join(", ")}),
    'strict $.** ? (@.type() == "string")') as sent (value))`;

/** What a search looks for. Its words contain only letters and digits. */
export function toQuery(words: readonly string[]): string {
  return words
    .map((word, place) => `'${word}'${place === words.length - 1 ? ":*" : ""}`)
    .join(" & ");
}
