import type { JsonObject } from "../wire.ts";

/**
 * A request, what the owner says at its approval and then to questions, how it ends, and the form
 * that was approved. Without a form, nothing new may be shown. `part` is in the answer or question.
 */
export interface Correction {
  readonly says: string;
  readonly replies: readonly string[];
  readonly ends: "done" | "needs_answer" | "could_not";
  readonly form?: JsonObject;
  readonly without?: readonly string[];
  readonly part?: string;
}

const at = (name: string) => `${name}@lindqvist.example`;
const two = "email jonas and priya that we close friday";
const copied = "email lea that we close friday, cc ben";
const post = "post in #workshop that we close on friday";
const lunch = "put lunch with lea on monday 12:30";

const row = (
  says: string,
  reply: string | readonly string[],
  form: JsonObject,
  without: readonly string[] = [],
): Correction => ({ says, replies: [reply].flat(), ends: "done", form, without });

/** Words that are not understood in full: the same form stays, and the part is named. */
const asks = (says: string, reply: string, part: string): Correction => ({
  says,
  replies: [reply],
  ends: "needs_answer",
  part,
});

export const corrections: readonly Correction[] = [
  row(two, "not to priya", { to: [at("jonas")] }),
  row(two, "not to jonas", { to: [at("priya")] }),
  row(two, "without priya please", { to: [at("jonas")] }),
  row(two, "don't send it to jonas", { to: [at("priya")] }),
  row(two, "remove jonas", { to: [at("priya")] }),
  row(two, "not to priya but to lea", { to: [at("jonas"), at("lea")] }),
  row(two, "only to priya", { to: [at("priya")] }),
  row(copied, "dont cc ben", { to: [at("lea")] }, ["cc"]),
  row(copied, "remove ben from cc", { to: [at("lea")] }, ["cc"]),
  row(copied, "no cc to ben", { to: [at("lea")] }, ["cc"]),
  row(copied, "cc jonas too", { to: [at("lea")], cc: [at("ben"), at("jonas")] }),
  row(copied, "not friday, monday", { bodyText: "we close monday" }),
  row(copied, "no, on monday", { bodyText: "we close monday" }),
  row(copied, "monday, not friday", { bodyText: "we close monday" }),
  row(copied, "change friday to thursday", { bodyText: "we close thursday" }),
  row(copied, "add a line on top: please pay this by friday", {
    bodyText: "Please pay this by friday.\n\nwe close friday",
  }),
  row(copied, "add a line: please pay this by friday", {
    bodyText: "We close friday. Please pay this by friday.",
  }),
  row("forward the mail from velo nord to ben", "add a line on top: please pay this by friday", {
    note: "Please pay this by friday.",
  }),
  row(post, "no, on monday, and post it to #general", {
    to: "#general",
    text: "we close on monday",
  }),
  row(post, "not in #workshop but #general", { to: "#general", text: "we close on friday" }),
  row(lunch, "not monday, tuesday", { start: "2026-11-17T12:30" }),
  row(lunch, "without lea please", { start: "2026-11-16T12:30" }, ["guests"]),
  row(lunch, ["1pm and paint it blue", "1pm"], { start: "2026-11-16T13:00" }),
  row(copied, ["make it rhyme", "send it as it is"], { bodyText: "we close friday" }),
  row(copied, ["paint it blue", "dance", "cc jonas"], { cc: [at("ben"), at("jonas")] }),
  { says: copied, replies: ["make it rhyme", "no, don't send it"], ends: "could_not" },
  { says: copied, replies: ["no thanks"], ends: "could_not" },
  { says: copied, replies: ["dont send it"], ends: "could_not" },
  asks("email ben that we close friday", "don't send it to ben", "no recipient is left"),
  asks("email ben that we close friday", "not to jonas", "jonas is no recipient"),
  asks(copied, "not so formal", "not"),
  asks(copied, "make it friendlier and paint it blue", "paint it blue"),
  asks(copied, "shorter and send it to everyone", "everyone"),
  asks(copied, "only if it is not raining", "if it is not raining"),
  asks(copied, "send it on monday", "send it on monday"),
  asks(copied, "not thursday, monday", "not thursday"),
  asks(copied, "add that we close and send it tomorrow to ben", "tomorrow"),
  asks(post, "not in #workshop", "not in #workshop"),
  asks(post, "in #general and #orders", "#orders"),
  asks(lunch, "not monday", "not"),
  asks(lunch, "make it funnier", "funnier"),
];
