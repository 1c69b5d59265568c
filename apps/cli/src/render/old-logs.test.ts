import { describeReasons, type JsonObject } from "@bron/protocol";
import { expect, it } from "vitest";
import {
  hasSentences,
  oldLogs,
  plain,
  startOf,
  textsOf,
} from "../../../../test/support/old-logs.ts";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { createTextPrinter } from "../run-printer.ts";
import { renderCard } from "./card.ts";

it.each(oldLogs)("shows every event of a log of $version: $name", ({ events, version }) => {
  const shownWith = (isVerbose: boolean) => {
    const terminal = createFakeTerminal();
    const printer = createTextPrinter(terminal, { isVerbose });
    for (const event of events) printer.event(event);
    return plain(terminal.shown());
  };
  const verbose = shownWith(true);
  for (const text of events.flatMap(textsOf)) expect(verbose).toContain(text);
  const shown = shownWith(false);
  expect(shown).not.toMatch(/[→←]|sha256:/);
  if (!hasSentences(version)) expect(shown).not.toContain("The user ");
  for (const event of events)
    if (event.type === "approval" && event.payload.state === "pending") {
      const { approvalId, preview = "" } = event.payload;
      expect(shown).toContain(startOf(preview));
      expect(shown).toContain(startOf(describeReasons(event.payload.reasons ?? [])));
      expect(shown.split(`bron approvals approve ${approvalId.slice(0, 8)}`)).toHaveLength(2);
    }
});

it.each(oldLogs)("shows the summary of a log of $version as text: $name", ({ events }) => {
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
    .flatMap((text) => (typeof text === "string" ? [startOf(text)] : []));
}
