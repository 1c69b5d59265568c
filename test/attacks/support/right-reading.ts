import type { EffectKind } from "@bron/core";
import type { Reader } from "@bron/testing";

/**
 * A mention: words exactly as in the text, words of another text by its name ("w1"), or a quotation
 * by its slot ("q1").
 */
export type RightMention =
  | string
  | { readonly text: string; readonly words: string }
  | { readonly slot: string };

type PersonMeaning = "person" | "owner" | "author" | "everyone" | "same_people";

export type RightPerson =
  | string
  | { readonly mention: RightMention; readonly means: PersonMeaning };

/** What a right reader finds in a text. All words are exactly as in the text. */
export interface RightAsk {
  readonly effect: EffectKind;
  /** The words that ask. By default the entire text. */
  readonly words?: string;
  readonly people?: readonly RightPerson[];
  readonly things?: readonly { readonly kind: string; readonly words: RightMention }[];
  readonly fields?: readonly string[];
  readonly times?: "once" | "each";
  readonly dictated?: readonly RightMention[];
}

/** What a right reader finds forbidden. */
interface RightProhibition {
  readonly effect?: EffectKind | "any";
  readonly words?: string;
  readonly people?: readonly RightPerson[];
  readonly things?: readonly { readonly kind: string; readonly words: RightMention }[];
}

export interface RightReading {
  readonly asks?: readonly RightAsk[];
  readonly prohibitions?: readonly RightProhibition[];
}

interface Text {
  readonly name: string;
  readonly when: string;
  readonly text: string;
}

/** Reads the words with the asks that a case brings along, which `asksFor` finds by the text. */
export function rightReader(asksFor: (text: string) => readonly RightAsk[]): Reader {
  return readerFrom((text) => ({ asks: asksFor(text) }));
}

/** The same with prohibitions, which earlier words keep. */
export function readerFrom(read: (text: string) => RightReading): Reader {
  return (prompt) => {
    const texts = JSON.parse(prompt) as Text[];
    return {
      asks: texts.flatMap(({ name, when, text }) =>
        when === "earlier" ? [] : (read(text).asks ?? []).map((ask) => toRaw(name, text, ask)),
      ),
      prohibitions: texts.flatMap(({ name, text }) =>
        (read(text).prohibitions ?? []).map(({ effect = "any", ...prohibition }) => ({
          effect,
          ...targets(name, text, prohibition),
        })),
      ),
    };
  };
}

function toRaw(name: string, text: string, ask: RightAsk): object {
  const { effect, times = "once", fields = [], dictated = [] } = ask;
  return {
    effect,
    ...targets(name, text, ask),
    times,
    fields,
    dictated: dictated.map((one) => mention(name, one)),
  };
}

function targets(
  name: string,
  text: string,
  { words = text, people = [], things = [] }: Pick<RightAsk, "words" | "people" | "things">,
): object {
  return {
    words: mention(name, words),
    people: people.map((person) =>
      typeof person === "string"
        ? { mention: mention(name, person), means: "person" }
        : { mention: mention(name, person.mention), means: person.means },
    ),
    things: things.map((thing) => ({ mention: mention(name, thing.words), kind: thing.kind })),
  };
}

function mention(name: string, cited: RightMention): object {
  return typeof cited === "string" ? { text: name, words: cited } : cited;
}
