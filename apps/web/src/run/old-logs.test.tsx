import { addressOwner, isPendingApproval, type EventView, type JsonObject } from "@bron/protocol";
import { readdirSync, readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RunSummary } from "../cards/run-summary.tsx";
import { applyEvents, emptyTimeline, type Item } from "./timeline.ts";
import { ToolLine } from "./tool-line.tsx";

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
  const { items } = applyEvents(emptyTimeline, events);
  const page = items.map(itemText).join("\n");
  for (const text of events.flatMap(textsOf)) expect(page).toContain(text);
  expect(page).not.toContain("The user ");
  expect(items.filter((item) => item.kind === "tool" && item.state === "running")).toEqual([]);
  const asked = events.flatMap((event) =>
    event.type === "approval" && isPendingApproval(event.payload.state)
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
    case "ui":
      return event.payload.kind === "RunSummaryCard" ? summaryTexts(event.payload.payload) : [];
    default:
      return [];
  }
}

/** The sentences of a summary before version 6. */
function summaryTexts(payload: JsonObject): string[] {
  if (payload["highlights"] === undefined) return [];
  return [payload["highlights"], payload["failed"], payload["nextAction"]]
    .flat()
    .flatMap((text) => (typeof text === "string" ? [start(text)] : []));
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const start = (text: string) => addressOwner(plain(text)).slice(0, 60);
