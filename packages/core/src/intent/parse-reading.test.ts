import { describe, expect, it } from "vitest";
import { parseReading, type Reading } from "./parse-reading.ts";
import { readableWords } from "./readable-words.ts";

const words = readableWords([
  { when: "earlier", text: "What did Priya write? Never mail Tom." },
  { when: "standing", text: "Always sign with Mara." },
  { when: "now", text: "Will you mail Jonas and 'eva@b.example' what Paul sent me? Not to Anna." },
]);
const said = (text: string, quoted: string) => ({ text, words: quoted });
const ask = (asking: object, rest: object = {}) => ({
  asks: [{ effect: "send_mail", words: asking, times: "once", ...rest }],
});
const read = (output: unknown): Reading => {
  const reading = parseReading(output, words);
  if (!reading) throw new Error("The output has another form");
  return reading;
};

describe("what a model reads in the owner's words", () => {
  it("is kept if it is there", () => {
    const reading = read({
      asks: [
        {
          effect: "send_mail",
          words: said("w3", "mail Jonas and"),
          times: "once",
          people: [
            { mention: said("w3", "Jonas"), means: "person" },
            { mention: { slot: "q1" }, means: "person" },
          ],
        },
      ],
      prohibitions: [
        {
          effect: "any",
          words: said("w3", "Not to Anna"),
          people: [{ mention: said("w3", "Anna"), means: "person" }],
        },
      ],
    });
    expect(reading.asks).toMatchObject([
      {
        key: "w3:9-23:send_mail",
        people: [
          { words: "Jonas", means: "person" },
          { words: "eva@b.example", means: "person" },
        ],
      },
    ]);
    expect(reading.prohibitions).toMatchObject([{ people: [{ words: "Anna" }] }]);
  });

  it("takes a request for some of them for a part of the one for each of them", () => {
    const request = (times: string, ...names: string[]) => ({
      effect: "send_mail",
      words: said("w3", "mail Jonas and"),
      times,
      people: names.map((name) => ({ mention: said("w3", name), means: "person" })),
    });
    const timesOf = (...asks: object[]) =>
      read({ asks }).asks.map(({ times, people }) => `${times} ${people.length}`);
    const each = request("each", "Jonas", "Paul");
    expect(
      timesOf(request("once", "Jonas"), each, request("each", "Paul"), request("once", "Paul")),
    ).toEqual(["each 2"]);
    expect(timesOf(each, request("once", "Jonas", "Paul"))).toEqual(["each 2"]);
    expect(timesOf(each, request("once", "Anna"))).toEqual(["each 2", "once 1"]);
    expect(timesOf(request("once", "Jonas", "Paul"), request("once", "Paul"))).toEqual([
      "once 2",
      "once 1",
    ]);
  });

  it.each([
    ["words that are not there", said("w3", "mail Mallory")],
    ["words of another text", said("w2", "mail Jonas")],
    ["part of a word", said("w3", "ill you")],
    ["words of an earlier task", said("w1", "mail Tom")],
    ["a text that does not exist", said("w9", "mail Jonas")],
    ["a quotation", { slot: "q1" }],
    ["a slot that does not exist", { slot: "q2" }],
  ])("does not ask with %s", (_, mention) => expect(read(ask(mention)).asks).toEqual([]));

  it.each([
    ["a name that is not there", { mention: said("w3", "Mallory"), means: "person" }],
    ["part of a name", { mention: said("w3", "Jon"), means: "person" }],
    ["a slot that does not exist", { mention: { slot: "q5" }, means: "person" }],
    ["the owner, unless the word means them", { mention: said("w3", "Jonas"), means: "owner" }],
  ])("reaches no one by %s", (_, person) => {
    const [asked] = read(ask(said("w3", "mail Jonas"), { people: [person] })).asks;
    expect(asked?.people).toEqual([]);
  });

  it("may explain whom the words mean by an earlier text", () => {
    const people = [{ mention: said("w1", "Priya"), means: "person" }];
    expect(read(ask(said("w3", "mail Jonas"), { people })).asks[0]?.people).toEqual([
      { words: "Priya", means: "person" },
    ]);
  });

  it("asks once for words that are listed twice", () => {
    const one = ask(said("w3", "mail Jonas")).asks;
    expect(read({ asks: [...one, ...one] }).asks).toHaveLength(1);
  });

  it.each([
    ["text", "No."],
    ["another kind", { asks: [{ effect: "pay", words: said("w3", "mail Jonas"), times: "once" }] }],
    ["a field too many", { ...ask(said("w3", "mail Jonas")), allow: true }],
  ])("is nothing if the form is wrong: %s", (_, output) =>
    expect(parseReading(output, words)).toBeUndefined(),
  );

  it("never takes a piece of an address or host for a name", () => {
    const typed = readableWords([
      {
        when: "now",
        text: "Ask will@evil.example about march.offers-2 and https://eva.example/jonas.",
      },
    ]);
    for (const piece of ["will", "evil", "march", "offers", "eva", "jonas", "example"])
      expect(
        parseReading(
          {
            asks: [
              {
                effect: "send_mail",
                words: said("w1", "Ask"),
                times: "once",
                people: [{ mention: said("w1", piece), means: "person" }],
              },
            ],
          },
          typed,
        )?.asks[0]?.people,
      ).toEqual([]);
  });

  it("finds a pronoun after a hyphen, and no name", () => {
    const french = readableWords([{ when: "now", text: "Envoie-moi le plan de Anne-Eva" }]);
    const people = (quoted: string, means: string) =>
      parseReading(
        ask(said("w1", "le plan"), { people: [{ mention: said("w1", quoted), means }] }),
        french,
      )?.asks[0]?.people;
    expect(people("moi", "owner")).toEqual([{ words: "moi", means: "owner" }]);
    expect(people("Eva", "person")).toEqual([]);
  });
});
