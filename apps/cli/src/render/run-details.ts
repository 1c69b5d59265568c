import { describeFailure, describePlace, visible } from "@bron/protocol";
import { dollars } from "@bron/core";
import type { ActionView, EffectView, EventView, RunView } from "@bron/protocol";
import { createEventDescriber } from "./event-line.ts";
import { statusWord } from "./run-status.ts";
import { shortId } from "./short-id.ts";
import { fields, table } from "./table.ts";
import { localTime, seconds } from "./time.ts";
import { oneLine } from "./visible.ts";

export interface RunDetails {
  readonly run: RunView;
  readonly actions: readonly ActionView[];
  readonly effects: readonly EffectView[];
  readonly events: readonly EventView[];
  /** Which place it waits for, in words. */
  readonly waits?: string | undefined;
}

const wide = 200;

export function describeRun(
  { run, actions, effects, events, waits }: RunDetails,
  heading: (text: string) => string,
): string[] {
  const tookMs =
    run.startedAt !== null && run.finishedAt !== null
      ? Date.parse(run.finishedAt) - Date.parse(run.startedAt)
      : undefined;
  const task = visible(run.prompt.trim());
  return [
    heading(oneLine(run.title)),
    ...fields([
      ["Run", run.id],
      ["Status", statusWord(run)],
      [
        "Error",
        run.error ? `${visible(describeFailure(run.error))} (code ${run.error.code})` : undefined,
      ],
      ["Created", localTime(run.createdAt)],
      ["Duration", tookMs === undefined ? undefined : seconds(tookMs)],
      ["Cost", run.spentMicrousd > 0 ? dollars(run.spentMicrousd) : undefined],
      ["Retry of", run.retryOf ?? undefined],
      ["Thread", run.threadId],
      ["Place", run.place === null ? undefined : oneLine(describePlace(run.place))],
      ["Waiting", waits],
      ["Task", task === visible(run.title) ? undefined : task],
      ["Answer", run.summary === null ? undefined : visible(run.summary)],
    ]),
    ...section(
      heading("Actions"),
      table(
        ["ID", "TOOL", "STATE", "INPUT"],
        actions.map((action) => [
          shortId(action.id),
          action.tool,
          action.state,
          oneLine(JSON.stringify(action.input)),
        ]),
        wide,
      ),
      actions.length,
    ),
    ...section(
      heading("Effects"),
      table(
        ["ID", "TOOL", "STATE", "ATTEMPTS", "DIGEST"],
        effects.map((effect) => [
          shortId(effect.id),
          effect.tool,
          stateOf(effect),
          String(effect.attempts),
          effect.digest,
        ]),
        wide,
      ),
      effects.length,
    ),
    ...section(heading("Timeline"), timeline(run, events), events.length),
  ];
}

function stateOf({ state, settled }: EffectView): string {
  return settled ? `${state}: ${settled.as === "happened" ? "happened" : "did not happen"}` : state;
}

function section(head: string, lines: readonly string[], count: number): string[] {
  return count === 0 ? [] : ["", head, ...lines.map((text) => `  ${text}`)];
}

function timeline(run: RunView, events: readonly EventView[]): string[] {
  const describe = createEventDescriber();
  const startedAt = Date.parse(run.createdAt);
  return events.flatMap((event) => {
    const text = describe(event);
    return text === undefined
      ? []
      : [
          `${`+${seconds(Math.max(0, Date.parse(event.createdAt) - startedAt))}`.padStart(8)}  ${text}`,
        ];
  });
}
