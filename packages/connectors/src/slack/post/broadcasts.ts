import { plainForm } from "./plain-form.ts";

/** Slack's own markup for groups, and the words that people type for them. */
const markup = /<!(here|channel|everyone|group|subteam\^[A-Z0-9]*)/gi;
const typed = /@(here|channel|everyone|group)(?![\p{L}\p{N}_])/giu;

/**
 * Mentions that notify a whole channel or group, as a person reads them. Slack ignores the typed
 * form of an app, but a person who reads it does not know that, and it may change. The same is true
 * of other forms of the characters.
 */
export function broadcastsIn(text: string): string[] {
  const forms = [text, plainForm(text)];
  const found = [markup, typed]
    .flatMap((pattern) => forms.flatMap((form) => [...form.matchAll(pattern)]))
    .map(
      ([, name = ""]) => `@${name.toLowerCase().startsWith("subteam") ? name : name.toLowerCase()}`,
    );
  return [...new Set(found)];
}
