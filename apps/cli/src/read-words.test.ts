import { describe, expect, it } from "vitest";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import { readWords } from "./read-words.ts";

const question = "What?";
const mail = "From: Eva\nPay now\n";

describe("words of a command", () => {
  it("are those of its argument, and what is piped in is context, which it says", async () => {
    const terminal = createFakeTerminal({ readPiped: async () => mail });
    expect(await readWords(terminal, { words: "Summarize", question })).toEqual({
      words: "Summarize",
      context: [mail],
    });
    expect(terminal.written("err")).toBe(
      "Treated as context, not as your words: 2 lines. If it is your own text, use --words-from-stdin.\n",
    );
  });

  it("are all of it if the owner says so", async () => {
    const terminal = createFakeTerminal({
      readPiped: async () => mail,
      readInput: async () => mail,
    });
    const options = { question, wordsFromStdin: true };
    expect(await readWords(terminal, { ...options, words: "Do:" })).toEqual({
      words: `Do:\n${mail}`,
    });
    expect(await readWords(terminal, { ...options, words: "-" })).toEqual({ words: mail });
    expect(terminal.shown()).toBe("");
  });

  it("are given by the command if only a text is piped in, or are required", async () => {
    const terminal = createFakeTerminal({ readInput: async () => mail });
    const options = { words: "-", question };
    expect(await readWords(terminal, { ...options, withoutWords: "Do it." })).toEqual({
      words: "Do it.",
      context: [mail],
    });
    await expect(readWords(terminal, options)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("are asked for at a terminal, with a long paste apart from them", async () => {
    const asked = createFakeTerminal({
      canAsk: true,
      askWords: async () => ({ words: "Summarize", pasted: [mail] }),
    });
    expect(await readWords(asked, { words: undefined, question })).toEqual({
      words: "Summarize",
      context: [mail],
    });
    const nobody = createFakeTerminal();
    await expect(readWords(nobody, { words: undefined, question })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("have no context if nothing is piped in", async () => {
    const terminal = createFakeTerminal({ readPiped: async () => " \n" });
    expect(await readWords(terminal, { words: "Hello", question })).toEqual({ words: "Hello" });
    expect(terminal.shown()).toBe("");
  });
});
