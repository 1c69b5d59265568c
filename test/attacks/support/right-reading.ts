import type { EffectKind } from "@bron/core";
import type { Reader } from "@bron/testing";

/** What a right reader finds in a text. All words are exactly as in the text. */
export interface RightAsk {
  readonly effect: EffectKind;
  /** The words that ask. By default the entire text. */
  readonly words?: string;
  readonly people?: readonly string[];
  readonly things?: readonly { readonly kind: string; readonly words: string }[];
  readonly fields?: readonly string[];
}

interface Text {
  readonly name: string;
  readonly when: string;
  readonly text: string;
}

/** Reads the words with the asks that a case brings along, which `asksFor` finds by the text. */
export function rightReader(asksFor: (text: string) => readonly RightAsk[]): Reader {
  return (prompt) => ({
    asks: (JSON.parse(prompt) as Text[]).flatMap(({ name, when, text }) =>
      when === "earlier" ? [] : asksFor(text).map((ask) => toRaw(name, text, ask)),
    ),
    prohibitions: [],
  });
}

function toRaw(
  name: string,
  text: string,
  { effect, words = text, people = [], things = [], fields = [] }: RightAsk,
): object {
  const mention = (cited: string) => ({ text: name, words: cited });
  return {
    effect,
    words: mention(words),
    times: "once",
    people: people.map((person) => ({ mention: mention(person), means: "person" })),
    things: things.map((thing) => ({ mention: mention(thing.words), kind: thing.kind })),
    fields,
    dictated: [],
  };
}
