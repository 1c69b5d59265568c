import { describe, expect, it } from "vitest";
import { recipes } from "../recipes/recipes.ts";
import { readIntent } from "./read-intent.ts";

interface Read {
  readonly asks: readonly { readonly effect: string }[];
  readonly prohibitions: readonly {
    readonly effect: string;
    readonly words: { readonly words: string };
    readonly people: readonly { readonly mention: object }[];
  }[];
}
const read = (text: string, when = "now") =>
  readIntent(JSON.stringify([{ name: "w1", when, text }]), recipes) as Read;

describe("what the demo model reads in the owner's words", () => {
  it.each([
    ["Summarize my inbox. Don't email Tom.", "send_mail", ["Tom"]],
    [
      "Never write to eva@brandt.example or Jonas Keller!",
      "send_mail",
      ["eva@brandt.example", "Jonas Keller"],
    ],
    ["Do not invite Priya", "create_event", ["Priya"]],
    ["don't send anything yet", "send_mail", []],
  ])("%s", (text, effect, people) => {
    const [prohibition] = read(text).prohibitions;
    expect(prohibition?.effect).toBe(effect);
    expect(text).toContain(prohibition?.words.words);
    expect(prohibition?.people.map(({ mention }) => mention)).toEqual(
      people.map((words) => ({ text: "w1", words })),
    );
  });

  it("keeps what an earlier task forbids, and asks for nothing with its words", () => {
    const { asks, prohibitions } = read("Send Tom a note. Never email Tom again.", "earlier");
    expect(asks).toEqual([]);
    expect(prohibitions).toHaveLength(1);
  });

  it("reads whom and which email a request to forward means", () => {
    const mention = (words: string) => ({ mention: { text: "w1", words } });
    expect(read("Forward the invoice from Rachel to Jonas").asks).toMatchObject([
      {
        effect: "forward",
        people: [{ ...mention("Jonas"), means: "person" }],
        things: [{ ...mention("the invoice from Rachel"), kind: "mail" }],
      },
    ]);
  });

  it("reads the files that a request to send names", () =>
    expect(read("Send an email to eva@x.example saying see report.pdf").asks).toMatchObject([
      { effect: "send_mail", things: [{ mention: { words: "report.pdf" }, kind: "file" }] },
    ]));

  it("reads the note that a request to write names", () =>
    expect(read("Write a note titled Shopping: bread").asks).toMatchObject([
      { effect: "write_note", things: [{ mention: { words: "Shopping" }, kind: "note" }] },
    ]));

  it.each([
    ["send it to eva@x.example instead", "send_mail", "eva@x.example"],
    ["send it to Priya instead", "send_mail", "Priya"],
    ["make it shorter", "send_mail", "jonas@x.example"],
    ["send it", "send_mail", "jonas@x.example"],
  ])("reads %s as a change of the email before it", (text, effect, words) => {
    const texts = [
      { name: "w1", when: "earlier", text: "Email jonas@x.example that I can't come. Sorry." },
      { name: "w2", when: "now", text },
    ];
    const { asks } = readIntent(JSON.stringify(texts), recipes) as Read;
    expect(asks).toMatchObject([{ effect, people: [{ mention: { words } }] }]);
  });

  it.each([
    [
      "move the budget review to wednesday 10am",
      "hmm no, move it back to tuesday 2pm",
      {
        effect: "change_event",
        fields: ["time"],
        things: [{ mention: { words: "budget review" } }],
      },
    ],
    [
      "put lunch with lea on monday",
      "half past twelve, 12:30",
      { effect: "create_event", words: { words: "half past twelve, 12:30" } },
    ],
    [
      "write an email to lea",
      "The lift works again.",
      { effect: "send_mail", people: [{ mention: { words: "lea" } }] },
    ],
    [
      'email jonas@x.example "The headset is here."',
      "now send the same to lea too",
      { effect: "send_mail", people: [{ mention: { words: "lea" } }] },
    ],
  ])("after %s, reads %s", (before, text, ask) => {
    const texts = [
      { name: "w1", when: "earlier", text: before },
      { name: "w2", when: "now", text },
    ];
    expect((readIntent(JSON.stringify(texts), recipes) as Read).asks).toMatchObject([ask]);
  });

  it("reads an email about an attached file", () =>
    expect(read("email a summary of this to eva@x.example").asks).toMatchObject([
      { effect: "send_mail", people: [{ mention: { words: "eva@x.example" } }] },
    ]));

  it("mentions what was typed, with its typos", () =>
    expect(read("send an emial to eva@x.example saying adn meetng is fine pls").asks).toMatchObject(
      [
        {
          effect: "send_mail",
          words: { words: "send an emial to eva@x.example saying adn meetng is fine pls" },
        },
      ],
    ));

  it.each(["make it shorter", "and on friday?"])(
    "reads nothing in %s without an email before it",
    (text) => expect(read(text).asks).toEqual([]),
  );

  it("forbids nothing in an ordinary request", () =>
    expect(read("Email jonas@lindqvist.example that I can't come").prohibitions).toEqual([]));
});
