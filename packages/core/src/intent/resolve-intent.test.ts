import { describe, expect, it } from "vitest";
import type { EffectKind } from "./effect-kinds.ts";
import type { FoundFile } from "./found-file.ts";
import type { MentionQuery } from "./find-mention.ts";
import { emptyReading, type Ask, type PersonMention } from "./parse-reading.ts";
import { resolveIntent } from "./resolve-intent.ts";

const account = "mara@lindqvist.example";
const ask = (people: readonly PersonMention[], more: Partial<Ask> = {}): Ask => ({
  key: "k",
  order: 0,
  effect: "send_mail",
  words: "Send it",
  times: "once",
  people,
  things: [],
  fields: [],
  dictated: [],
  ...more,
});

/** Resolves with accounts that know these names. */
async function resolve(
  asks: readonly Ask[],
  known: Readonly<Record<string, readonly string[]>> = {},
  {
    contacts = [],
    effect = "send_mail",
    uploads = {},
    files = [],
  }: {
    contacts?: string[];
    effect?: EffectKind;
    uploads?: Readonly<Record<string, string>>;
    files?: readonly FoundFile[];
  } = {},
) {
  const queries: MentionQuery[] = [];
  const intent = await resolveIntent(
    { ...emptyReading, asks },
    {
      effect,
      facts: { account },
      contacts: new Map(
        contacts.map((entry) => [entry.replace(/ .*/, ""), entry.replace(/^\S* ?/, "")]),
      ),
      used: new Set(),
      crossedOut: new Set(),
      uploads: new Map(Object.entries(uploads)),
      findFiles: () => Promise.resolve(files),
      async find(query) {
        queries.push(query);
        return known[query.words] ?? [];
      },
    },
  );
  return { people: intent.asks.map(({ people }) => [...people]), intent, queries };
}
const person = (words: string): PersonMention => ({ words, means: "person" });

describe("whom the owner's words mean", () => {
  it("is the address that they typed, without looking it up", async () => {
    const { people, queries } = await resolve([ask([person("Jonas@Lindqvist.example")])]);
    expect(people).toEqual([["jonas@lindqvist.example"]]);
    expect(queries).toEqual([]);
  });

  it("is the connected account for the owner", async () =>
    expect((await resolve([ask([{ words: "me", means: "owner" }])])).people).toEqual([[account]]));

  it.each([
    ["one person", ["jonas@x.example"], ["jonas@x.example"]],
    ["the same person twice", ["jonas@x.example", "Jonas@X.example"], ["jonas@x.example"]],
    ["two people", ["jonas@x.example", "jonas@y.example"], []],
    ["no one", [], []],
  ])("is clear only if the accounts know %s of that name", async (_, known, meant) =>
    expect((await resolve([ask([person("Jonas")])], { Jonas: known })).people).toEqual([meant]),
  );

  it("may be a trusted contact, unless someone else has that name too", async () => {
    const contacts = ["jonas.keller@x.example", "priya@x.example"];
    const named = (name: string, known = {}) =>
      resolve([ask([person(name)])], known, { contacts }).then(({ people }) => people[0]);
    expect(await named("Jonas")).toEqual(["jonas.keller@x.example"]);
    expect(await named("Jonas Keller")).toEqual(["jonas.keller@x.example"]);
    expect(await named("Keller Bros")).toEqual([]);
    expect(await named("Jonas", { Jonas: ["jonas@y.example"] })).toEqual([]);
  });

  it("may be a trusted contact by the name or role that the owner gave", async () => {
    const contacts = ["john@x.example the client", "dana@x.example Dana Wolf"];
    const named = (name: string) =>
      resolve([ask([person(name)])], {}, { contacts }).then(({ people }) => people[0]);
    expect(await named("the client")).toEqual(["john@x.example"]);
    expect(await named("Wolf")).toEqual(["dana@x.example"]);
    expect(await named("John")).toEqual(["john@x.example"]);
    expect(await named("the other client")).toEqual([]);
  });

  it("are several people for everyone, who are only referred to", async () => {
    const known = { all: ["eva@x.example", "jonas@x.example"], Eva: ["eva@x.example"] };
    const { people, intent } = await resolve(
      [ask([{ words: "all", means: "everyone" }, person("Eva")])],
      known,
    );
    expect(people).toEqual([["eva@x.example", "jonas@x.example"]]);
    expect(intent.asks[0]?.byReference).toEqual(new Set(["jonas@x.example"]));
  });

  it("is looked up only for requests that the effect may belong to", async () => {
    const asks = [ask([person("Jonas")]), ask([person("Eva")], { effect: "create_event" })];
    const { queries } = await resolve(asks, {}, { effect: "create_event" });
    expect(queries.map(({ words }) => words)).toEqual(["Eva"]);
  });
});

describe("which file the owner's words mean", () => {
  const eva = { digest: "sha256:a", filename: "a.txt", from: "Eva", isTrusted: true };
  const stranger = { digest: "sha256:b", filename: "a.txt", from: "Mallory", isTrusted: false };
  const meant = async (more: Parameters<typeof resolve>[2], words = "a.txt") => {
    const { intent } = await resolve([ask([], { things: [{ kind: "file", words }] })], {}, more);
    return [...(intent.asks[0]?.things ?? [])];
  };

  it.each([
    ["a known sender's", { files: [eva] }, ["file sha256:a"]],
    [
      "the same file from others, too",
      { files: [{ ...stranger, digest: "sha256:a" }, eva] },
      ["file sha256:a"],
    ],
    ["an upload", { uploads: { "sha256:u": "A.txt" } }, ["file sha256:u"]],
    ["a stranger's", { files: [stranger] }, []],
    ["two of that name", { files: [eva, stranger] }, []],
    ["an upload and another one", { uploads: { "sha256:u": "a.txt" }, files: [eva] }, []],
    ["an upload of another name", { uploads: { "sha256:u": "b.txt" } }, []],
    ["none", {}, []],
  ])("is clear only if there is one of that name: %s", async (_, more, things) =>
    expect(await meant(more)).toEqual(things),
  );

  it("is no upload if the words name a sender", async () =>
    expect(await meant({ uploads: { "sha256:u": "a.txt" } }, "a.txt from Eva")).toEqual([]));

  it("tells who sent each of them", async () => {
    const { intent } = await resolve(
      [ask([], { things: [{ kind: "file", words: "a.txt" }] })],
      {},
      {
        uploads: { "sha256:u": "a.txt" },
        files: [stranger],
      },
    );
    expect(intent.asks[0]?.files?.[0]?.found.map(({ from }) => from)).toEqual(["you", "Mallory"]);
  });
});
