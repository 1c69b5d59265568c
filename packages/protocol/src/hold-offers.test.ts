import { describe, expect, it } from "vitest";
import { holdOffersOf } from "./hold-offers.ts";
import type { Risk } from "./trust.ts";

function risk(why: Risk["why"], notes: Risk["notes"] = []): Risk {
  return { kind: "warning", value: "", why, from: [], notes };
}

const stranger = (address: string, notes: Risk["notes"] = []) =>
  risk({ code: "recipient_not_mentioned", address, role: "to" }, notes);

function offersOf(risks: readonly Risk[], kind: "mail" | "fetch" | "server" = "mail") {
  return holdOffersOf({ tool: "gmail_send", kind, risks: [...risks] });
}

describe("what removes a hold next time", () => {
  it("X3 is a name or a grant for each recipient whom the words do not mention", () => {
    expect(
      offersOf([
        stranger("john@x.example", [{ code: "never_emailed" }]),
        stranger("eva@x.example"),
      ]),
    ).toEqual([
      { kind: "name", address: "john@x.example" },
      { kind: "grant", tool: "gmail_send", recipient: "john@x.example" },
      { kind: "name", address: "eva@x.example" },
      { kind: "grant", tool: "gmail_send", recipient: "eva@x.example" },
    ]);
  });

  it("X3 is a grant for a site that the words do not mention", () => {
    const site = risk({ code: "site_not_mentioned", host: "shop.example" });
    expect(holdOffersOf({ tool: "web_fetch", kind: "fetch", risks: [site] })).toEqual([
      { kind: "grant", tool: "web_fetch", host: "shop.example" },
    ]);
  });

  it("X3 is nothing for an address that looks like another one", () => {
    const note = { code: "lookalike", domain: "x.example" } as const;
    expect(offersOf([stranger("john@x-example.example", [note])])).toEqual([]);
  });

  it.each<Exclude<Risk["why"], string>>([
    { code: "not_asked_for" },
    { code: "asked_for_once" },
    { code: "crossed_out" },
    { code: "words_not_read" },
    { code: "forbidden_by_words", words: "don't write to John" },
  ])("X3 is nothing if Bron would ask again: $code", (why) => {
    expect(offersOf([stranger("john@x.example"), risk(why)])).toEqual([]);
  });

  it("X3 is nothing for other reasons, for tools of a server, and for what is no address", () => {
    expect(offersOf([risk({ code: "link_not_mentioned", host: "x.example" })])).toEqual([]);
    expect(offersOf([risk("john@x.example was not named by you.")])).toEqual([]);
    expect(offersOf([stranger("john@x.example")], "server")).toEqual([]);
    expect(offersOf([stranger("U0123"), stranger("a b@x.example")])).toEqual([]);
  });
});
