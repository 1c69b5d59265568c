import type { JsonObject } from "@bron/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import {
  hasSentences,
  oldLogs,
  plain,
  startOf,
  textsOf,
} from "../../../../test/support/old-logs.ts";
import { RunSummary } from "../cards/run-summary.tsx";
import type { Item } from "./item.ts";
import { applyEvents, emptyTimeline } from "./timeline.ts";
import { ToolLine } from "./tool-line.tsx";

it.each(oldLogs)("shows every event of a log of $version: $name", ({ events, version }) => {
  const { items } = applyEvents(emptyTimeline, events);
  const page = items.map(itemText).join("\n");
  for (const text of events.flatMap(textsOf)) expect(page).toContain(text);
  for (const event of events)
    if (event.type === "ui" && event.payload.kind === "RunSummaryCard")
      for (const text of summaryTexts(event.payload.payload)) expect(page).toContain(text);
  if (!hasSentences(version)) expect(page).not.toContain("The user ");
  expect(items.filter((item) => item.kind === "tool" && item.state === "running")).toEqual([]);
  const asked = events.flatMap((event) =>
    event.type === "approval" && event.payload.state === "pending"
      ? [event.payload.approvalId]
      : [],
  );
  const shown = items.flatMap((item) =>
    item.kind === "card" && item.card.kind === "ApprovalCard" ? [item.card.payload.approvalId] : [],
  );
  expect(shown).toEqual(asked);
});

/** The text of an item on the page of its run. */
function itemText(item: Item): string {
  if (item.kind === "tool") return textIn(renderToStaticMarkup(<ToolLine item={item} />));
  if (item.kind === "card" && item.card.kind === "RunSummaryCard")
    return textIn(renderToStaticMarkup(<RunSummary {...item.card.payload} />));
  return plain(JSON.stringify(item).replaceAll('\\"', '"'));
}

function textIn(markup: string): string {
  return plain(
    markup
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&amp;", "&"),
  );
}

/** The sentences of a summary before version 6. */
function summaryTexts(payload: JsonObject): string[] {
  if (payload["highlights"] === undefined) return [];
  return [payload["highlights"], payload["failed"], payload["nextAction"]]
    .flat()
    .flatMap((text) => (typeof text === "string" ? [startOf(text)] : []));
}
