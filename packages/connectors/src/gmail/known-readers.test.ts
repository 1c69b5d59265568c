import { describe, expect, it } from "vitest";
import { messageReadTool, threadReadTool } from "./tools/read.ts";

/** Labels need no account. */
const none = {} as never;
const mail = (from: string, to: string, more: object = {}) => ({
  from,
  to,
  cc: "",
  subject: "Workshop",
  sentByUser: false,
  ...more,
});
const mara = "mara@x.example";
const readersOf = (...messages: readonly object[]) =>
  threadReadTool(none, "a").labelOf({ messages: messages as never }).readers;

describe("X3 people who know a thread", () => {
  it("are those to whom the user wrote by hand in it, and who took part in every message", () => {
    const own = mail(mara, "eva@x.example, jonas@x.example", { sentByUser: true });
    const reply = mail("eva@x.example", mara, { cc: "otto@x.example" });
    expect(readersOf(own)).toEqual(["eva@x.example", "jonas@x.example"]);
    expect(readersOf(own, reply)).toEqual(["eva@x.example"]);
  });

  it("are not those whom a sender put into the headers, or who claims to be the user", () => {
    expect(readersOf(mail("x@evil.example", mara, { cc: "jonas@x.example" }))).toEqual([]);
    expect(readersOf(mail(mara, "jonas@x.example"))).toEqual([]);
    const own = mail(mara, "eva@x.example", { sentByUser: true });
    const forged = mail("x@evil.example", mara, { cc: "jonas@x.example, eva@x.example" });
    expect(readersOf(own, forged)).toEqual(["eva@x.example"]);
  });

  it("are only recipients of the user for a single message", () => {
    const readers = (message: object) =>
      messageReadTool(none, "a").labelOf(message as never).readers;
    expect(readers(mail("eva@x.example", mara))).toEqual([]);
    expect(readers(mail(mara, "eva@x.example", { sentByUser: true }))).toEqual(["eva@x.example"]);
  });
});
