import { effectKinds } from "@bron/core";

interface Text {
  readonly name: string;
  readonly when: "now" | "standing" | "earlier";
  readonly text: string;
}

const maxMentions = 50;
const maxWords = 2_000;

/**
 * Reads the owner's words as generously as possible: every word may be a person or a thing, and every
 * effect is asked for. It is for tests that are not about what the words ask for, and it is the worst
 * reader that Bron can have.
 */
export function readEverything(prompt: string): unknown {
  const texts = (JSON.parse(prompt) as Text[]).filter(({ when }) => when !== "earlier");
  return { asks: texts.flatMap(asksOf), prohibitions: [] };
}

function asksOf({ name, text }: Text): unknown[] {
  const words = text.match(/[^\s,;:!?"«»()]+/gu) ?? [];
  const clean = words.map((word) => word.replace(/[.]+$/u, "")).filter((word) => word !== "");
  const [first] = clean;
  if (first === undefined) return [];
  const mention = (word: string) => ({ text: name, words: word });
  const slots = Array.from(text.matchAll(/«(q\d+):/gu), ([, slot = ""]) => ({ slot }));
  const mentions = [...slots, ...new Set(clean)]
    .slice(0, maxMentions)
    .map((one) => (typeof one === "string" ? mention(one) : one));
  const asking = text.length <= maxWords ? text : first;
  return Object.keys(effectKinds).map((effect) => ({
    effect,
    words: mention(asking),
    times: "each",
    people: mentions.map((one) => ({ mention: one, means: "person" })),
    things: mentions.map((one) => ({
      mention: one,
      kind: kindOf(effect, one),
    })),
    fields: ["title", "time", "guests", "location", "description", "recurrence", "response"],
    dictated: [],
  }));
}

const thingKinds: Readonly<Record<string, string>> = {
  post: "channel",
  write_note: "note",
  forward: "mail",
};

/** Only a word that looks like a file is one, because each is looked up in the account. */
function kindOf(effect: string, mentioned: string | object): string {
  const isFile = typeof mentioned === "string" && /^[^@/]+\.[a-z0-9]{2,5}$/iu.test(mentioned);
  return thingKinds[effect] ?? (isFile ? "file" : "event");
}
