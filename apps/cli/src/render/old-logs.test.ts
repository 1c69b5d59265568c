import {
  addressOwner,
  describeReasons,
  isPendingApproval,
  reasonsOf,
  type EventView,
  type JsonObject,
} from "@bron/protocol";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { createTextPrinter } from "../run-printer.ts";
import { renderCard } from "./card.ts";

/** Logs of real runs, in one folder for each version of the log. */
const folder = new URL("../../../../test/logs/", import.meta.url);
const logs = readdirSync(folder).flatMap((version) =>
  readdirSync(new URL(`${version}/`, folder)).map((file) => ({
    version,
    name: file.replace(".jsonl", ""),
    events: readFileSync(new URL(`${version}/${file}`, folder), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as EventView),
  })),
);

it.each(logs)("shows every event of a log of $version: $name", ({ events }) => {
  const terminal = createFakeTerminal();
  const printer = createTextPrinter(terminal);
  for (const event of events) printer.event(event);
  const shown = plain(terminal.shown());
  for (const text of events.flatMap(textsOf)) expect(shown).toContain(text);
  expect(shown).not.toContain("The user ");
  for (const event of events)
    if (event.type === "approval" && isPendingApproval(event.payload.state)) {
      const { approvalId, preview = "" } = event.payload;
      expect(shown).toContain(start(preview));
      expect(shown).toContain(start(describeReasons(reasonsOf(event.payload))));
      expect(shown.split(`bron approvals approve ${approvalId.slice(0, 8)}`)).toHaveLength(2);
    }
});

it.each(logs)("shows the summary of a log of $version as text: $name", ({ events }) => {
  const summary = events.findLast((event) => event.type === "ui")?.payload;
  expect(summary?.kind).toBe("RunSummaryCard");
  const card = plain(renderCard("RunSummaryCard", summary?.payload ?? {}).join("\n"));
  for (const text of sentencesOf(summary?.payload ?? {})) expect(card).toContain(text);
});

/** The sentences of a summary before version 6. A success does not list what was done. */
function sentencesOf({ outcome, highlights, failed = [], nextAction = [] }: JsonObject) {
  if (highlights === undefined) return [];
  return [outcome === "succeeded" ? [] : highlights, failed, nextAction]
    .flat()
    .flatMap((text) => (typeof text === "string" ? [start(text)] : []));
}

/** The texts that an event must show. Renderers may cut their end. */
function textsOf(event: EventView): string[] {
  switch (event.type) {
    case "message":
      return event.payload.role === "user" ? [] : [start(event.payload.content)];
    case "log":
      return "message" in event.payload ? [start(event.payload.message ?? "")] : [];
    case "tool":
      // Since version 6, only the error of a tool that failed is for people.
      return event.payload.phase === "end" && event.payload.error && !event.payload.notDone
        ? [start(event.payload.error.message)]
        : [];
    case "artifact":
      return [start(event.payload.name)];
    case "child_run":
      return [start(event.payload.title)];
    default:
      return [];
  }
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const start = (text: string) => addressOwner(plain(text)).slice(0, 60);
