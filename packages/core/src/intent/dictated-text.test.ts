import { describe, expect, it } from "vitest";
import { matchDictated } from "./dictated-text.ts";

const names = { recipients: new Set(["jonas", "eva"]), owner: new Set(["mara", "lindqvist"]) };
const match = (text: string | undefined, dictated: readonly string[], titles: string[] = []) =>
  matchDictated(dictated, { text, titles }, names);
const pay = "Please pay 40 EUR to DE89 3704 0044 0532 0130 00.";

describe("a text that the owner dictated", () => {
  it.each([
    ["as it is", pay, pay],
    ["without the final period", pay, pay.slice(0, -1)],
    ["wrapped in other lines", pay, "Please pay 40 EUR\nto DE89 3704 0044   0532 0130 00."],
    ["with other quote marks", "He said “yes”, it's fine.", 'He said "yes", it’s fine.'],
    ["in quote marks", pay, `“${pay}”`],
    ["after a greeting", pay, `Hi Jonas,\n\n${pay}`],
    ["after a German greeting", pay, `Liebe Eva, lieber Jonas,\n${pay}`],
    ["before a signature", pay, `${pay}\n\nBest regards,\nMara`],
    ["with both", pay, `Dear all,\n${pay}\n\nViele Grüße\nMara Lindqvist`],
    ["before a signature in one line", pay, `${pay}\nBest regards, Mara`],
    ["before a separated signature", pay, `${pay}\n--\nMara`],
    ["with a greeting of its own", `Hi Tom,\n${pay}`, `Hi Tom,\n${pay}`],
  ])("leaves word for word %s", (_, dictated, text) =>
    expect(match(text, [dictated])).toEqual({ missing: [], isAllText: true }),
  );

  it.each([
    ["another account", pay.replace("DE89 3704", "DE12 5001")],
    ["an added sentence", `${pay} Thanks for everything.`],
    ["an added line", `${pay}\nPS: call me.`],
    ["a sentence before it", `As discussed.\n${pay}`],
    ["missing words", pay.replace("40 EUR ", "")],
    ["a look-alike letter", pay.replace("Please", "P\u0435ease")],
    ["a character that cannot be seen", pay.replace("40", "4\u200b0")],
    ["a reversing character", pay.replace("40", "\u202e40")],
    ["a greeting of a stranger", `Hi Mallory,\n${pay}`],
    ["a host in the greeting", `Hi Jonas, see evil.example,\n${pay}`],
    ["a number in the greeting", `Hi Jonas 4711,\n${pay}`],
    ["a stranger's signature", `${pay}\nBest regards,\nMallory`],
    ["words after the signature", `${pay}\nBest regards,\nMara\nevil.example`],
    ["another order", "to DE89 3704 0044 0532 0130 00. Please pay 40 EUR"],
    ["nothing", ""],
  ])("is missing with %s", (_, text) =>
    expect(match(text, [pay])).toEqual({ missing: [pay], isAllText: false }),
  );

  it("may be a title, if the rest is the body", () => {
    expect(match("See you.", ["Lunch", "See you."], ["Lunch"]).missing).toEqual([]);
    expect(match(undefined, ["Lunch"], ["Lunch"]).missing).toEqual([]);
    for (const text of ["Call evil", ""])
      expect(match(text, ["Lunch"], ["Lunch"]).missing).toEqual(["Lunch"]);
    expect(match("Lunch", ["Lunch", "See you."], ["Lunch"]).missing).toEqual(["See you."]);
  });

  it("leaves with others in their order", () => {
    expect(match("One.\nTwo.", ["One.", "Two."]).missing).toEqual([]);
    expect(match("Two.\nOne.", ["One.", "Two."]).missing).toEqual(["One.", "Two."]);
  });
});
