import {
  describeActionFailure,
  keptOutputKind,
  upgradeEvent,
  type EventView,
  type RunEvent,
} from "@bron/protocol";
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../logs/", import.meta.url);

/** Logs of real runs, one folder for each version of the log, as a store reads them. */
export const oldLogs = readdirSync(folder).flatMap((version) =>
  readdirSync(new URL(`${version}/`, folder)).map((file) => ({
    version,
    name: file.replace(".jsonl", ""),
    events: readFileSync(new URL(`${version}/${file}`, folder), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => {
        const event = JSON.parse(line) as RunEvent;
        return { ...event, ...upgradeEvent(event) };
      }),
  })),
);

/** Since version 6, logs contain no sentences about the owner. Readers make them: "You declined". */
export const hasSentences = (version: string) => version < "version-6";

/** The texts that a reader must show for an event. Renderers may cut their end. */
export function textsOf(event: EventView): string[] {
  switch (event.type) {
    case "message":
      return event.payload.role === "user" ? [] : [startOf(event.payload.content)];
    case "log":
      return "message" in event.payload ? [startOf(event.payload.message ?? "")] : [];
    case "tool":
      // Since version 6, only the error of a tool that failed is for people.
      return event.payload.phase === "end" && event.payload.error && !event.payload.notDone
        ? [startOf(describeActionFailure(event.payload.error))]
        : [];
    case "artifact":
      // A kept output belongs to its step, which offers all of it.
      return event.payload.kind === keptOutputKind ? [] : [startOf(event.payload.name)];
    case "child_run":
      return [startOf(event.payload.title)];
    default:
      return [];
  }
}

export const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
export const startOf = (text: string) => plain(text).slice(0, 60);
