import { describeFailure, describePlace, visible } from "@bron/protocol";
import { dollars } from "@bron/core";
import type { ActionView, EffectView, EventView, RunView } from "@bron/protocol";
import { describeChildRun } from "./child-run.ts";
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
  readonly children: readonly ChildRunDetails[];
  /** Which place it waits for, in words. */
  readonly waits?: string | undefined;
}

/** A child run. Without events it is shown in one line. */
export interface ChildRunDetails extends Pick<RunDetails, "run" | "waits"> {
  readonly events?: readonly EventView[];
  readonly children: readonly ChildRunDetails[];
}

interface DescribeRunOptions {
  heading(text: string): string;
  /** Shows what developers look for: actions and effects by their tools, inputs and digests. */
  readonly isVerbose?: boolean;
}

const wide = 200;

export function describeRun(
  { run, actions, effects, events, children, waits }: RunDetails,
  { heading, isVerbose = false }: DescribeRunOptions,
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
      isVerbose ? actions.length : 0,
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
      isVerbose ? effects.length : 0,
    ),
    ...section(heading("Timeline"), timeline(run, events, children, isVerbose), events.length),
  ];
}

function stateOf({ state, settled }: EffectView): string {
  return settled ? `${state}: ${settled.as === "happened" ? "happened" : "did not happen"}` : state;
}

function section(head: string, lines: readonly string[], count: number): string[] {
  return count === 0 ? [] : ["", head, ...lines.map((text) => `  ${text}`)];
}

/** The log, with each child run below the step that started it. */
function timeline(
  run: RunView,
  events: readonly EventView[],
  children: readonly ChildRunDetails[],
  isVerbose: boolean,
): string[] {
  const describe = createEventDescriber({ isVerbose });
  const startedAt = Date.parse(run.createdAt);
  return events.flatMap((event) => {
    const text = describe(event);
    const child =
      event.type === "child_run" && event.payload.status === "queued" && !event.payload.actionId
        ? children.find(({ run: { id } }) => id === event.payload.childRunId)
        : undefined;
    const time = `+${seconds(Math.max(0, Date.parse(event.createdAt) - startedAt))}`.padStart(8);
    if (!child) return text === undefined ? [] : [`${time}  ${text}`];
    const [head = "", ...rest] = describeChildRun(child.run);
    return [`${time}  ${head}`, ...below([...rest, ...childLines(child, isVerbose)])];
  });
}

const below = (lines: readonly string[]) => lines.map((line) => `${" ".repeat(10)}│ ${line}`);

function childLines(
  { run, events, children, waits }: ChildRunDetails,
  isVerbose: boolean,
): string[] {
  const wait = waits === undefined ? [] : [waits];
  return events ? [...wait, ...timeline(run, events, children, isVerbose)] : wait;
}
