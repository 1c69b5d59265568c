import {
  isParked,
  isTerminal,
  type ActionView,
  type PartialText,
  type EventView,
  type RunView,
  visible,
} from "@bron/protocol";
import { renderApproval, renderCard } from "./render/card.ts";
import { describeChildRun } from "./render/child-run.ts";
import { eventJson } from "./render/event-json.ts";
import { createEventDescriber, describeApart } from "./render/event-line.ts";
import { shortId } from "./render/short-id.ts";
import { oneLine } from "./render/visible.ts";
import { paint, type Terminal } from "./terminal.ts";

/** Prints one run while it is running. */
export interface RunPrinter {
  event(event: EventView): void;
  /** Receives the full partial text so far, not a delta. */
  partialText(text: PartialText): void;
  /** A child run as it is now. What has been printed about it is not repeated. */
  childRun(run: RunView): void;
}

export function createJsonPrinter(terminal: Terminal): RunPrinter {
  return {
    event: (event) => terminal.out(`${eventJson(event)}\n`),
    partialText: () => undefined,
    childRun: () => undefined,
  };
}

/**
 * Writes progress to standard error, and the results (messages and cards) to standard output.
 * `earlier`: actions that were planned before the first event.
 */
export function createTextPrinter(
  terminal: Terminal,
  earlier: readonly ActionView[] = [],
): RunPrinter {
  const describe = createEventDescriber(earlier);
  const live = createLiveText(terminal);
  const work = createLiveWork(terminal, live.endLine);
  /** The last line about each child run. */
  const children = new Map<string, string | undefined>();

  const progress = (event: EventView) => {
    const text = describe(event);
    if (text === undefined || isReportedElsewhere(event)) return;
    live.endLine();
    terminal.err(`${paint(terminal, isBad(event) ? "yellow" : "dim", `  ${text}`)}\n`);
  };

  /** Says which part of the task does not count as the owner's words. */
  const apart = ({ runId, payload }: EventView) => {
    const split = "split" in payload ? payload.split : undefined;
    const texts = describeApart(split).filter((_, index) => split?.apart[index]?.from === "words");
    for (const text of texts)
      terminal.err(`${paint(terminal, "yellow", `  ${capitalized(text)}`)}\n`);
    if (texts.length > 0)
      terminal.err(
        `${paint(terminal, "dim", `  If it is your own text: bron runs put-back ${shortId(runId)}`)}\n`,
      );
  };

  const card = (lines: readonly string[]) => {
    live.endLine();
    const [head = "", ...rest] = lines;
    terminal.out(`${[paint(terminal, "bold", head), ...rest].join("\n")}\n`);
  };

  return {
    childRun(run) {
      const lines = describeChildRun(run);
      if (children.get(run.id) === lines[0]) return;
      children.set(run.id, lines[0]);
      live.endLine();
      const look = run.error ? "yellow" : "dim";
      for (const text of lines) terminal.err(`${paint(terminal, look, `  ${text}`)}\n`);
    },
    partialText(partialText) {
      work.show(partialText);
      live.show(partialText);
    },
    event(event) {
      if (event.type === "step" && event.payload.phase === "start")
        live.start(event.payload.step, event.payload.attempt);
      if (event.type === "message") {
        if (event.payload.role === "user") return apart(event);
        if (live.finish(event.payload)) return;
        if (event.payload.final) return terminal.out(`${visible(event.payload.content)}\n`);
      }
      if (event.type === "approval" && event.payload.state === "pending")
        return card(renderApproval(event.payload, terminal.now()));
      if (event.type === "ui") {
        // The approval has been shown, because its event precedes the card.
        if (event.payload.kind === "ApprovalCard") return undefined;
        // A successful run needs no summary card, because its last message reports the outcome.
        const isPlainSuccess =
          event.payload.kind === "RunSummaryCard" &&
          event.payload.payload["outcome"] === "succeeded";
        return isPlainSuccess
          ? undefined
          : card(renderCard(event.payload.kind, event.payload.payload));
      }
      progress(event);
    },
  };
}

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The closing line reports the final or waiting status, and `childRun` the child runs. */
function isReportedElsewhere(event: EventView): boolean {
  return (
    event.type === "child_run" ||
    (event.type === "status" &&
      (isTerminal(event.payload.status) || isParked(event.payload.status)))
  );
}

function isBad(event: EventView): boolean {
  if (event.type === "log") return event.payload.level !== "info";
  return (
    event.type === "tool" && event.payload.phase === "end" && event.payload.outcome !== "completed"
  );
}

/** A running tool gets a new line at most this often. */
const progressMs = 1_000;

/** Prints that the model thinks, once for each attempt of a step, and how far running tools are. */
function createLiveWork(terminal: Terminal, endLine: () => void) {
  let thinking = "";
  const shown = new Map<string, { readonly message: string; readonly at: number }>();
  const line = (text: string) => {
    endLine();
    terminal.err(`${paint(terminal, "dim", `  ${text}`)}\n`);
  };
  return {
    show({ step, attempt, text, thoughts, progress = [] }: PartialText) {
      if (!terminal.isLive) return;
      if (thoughts && text === "" && thinking !== `${step} ${attempt}`) {
        thinking = `${step} ${attempt}`;
        line("Thinking…");
      }
      const now = terminal.now().getTime();
      for (const { actionId, message } of progress) {
        const before = shown.get(actionId);
        if (before && (before.message === message || now - before.at < progressMs)) continue;
        shown.set(actionId, { message, at: now });
        line(oneLine(message));
      }
    },
  };
}

/**
 * Prints the model's text while it streams. The text can arrive before the log entry that starts
 * its step. It is held back until then, so that it never appears above the tool calls that led to
 * it.
 */
function createLiveText(terminal: Terminal) {
  let current: PartialText = { step: 0, attempt: 0, text: "" };
  let early: PartialText | undefined;
  let isMidLine = false;

  const endLine = () => {
    if (isMidLine) terminal.out("\n");
    isMidLine = false;
  };
  const isCurrent = ({ step, attempt }: PartialText) =>
    step === current.step && attempt === current.attempt;
  /**
   * Prints the new end of the text. Returns false for a text that does not extend the one shown,
   * such as an older state.
   */
  const grow = (text: string): boolean => {
    if (!text.startsWith(current.text)) return false;
    const more = text.slice(current.text.length);
    if (more !== "") {
      terminal.out(visible(more));
      isMidLine = !more.endsWith("\n");
    }
    current = { ...current, text };
    return true;
  };

  return {
    endLine,
    show(partial: PartialText) {
      if (!terminal.isLive || partial.text === "") return;
      if (isCurrent(partial)) grow(partial.text);
      else early = partial;
    },
    /** A new attempt starts its text again from the beginning. */
    start(step: number, attempt: number) {
      endLine();
      current = { step, attempt, text: "" };
      if (early && isCurrent(early)) grow(early.text);
    },
    /**
     * Prints the rest of a message that was partly shown. Returns whether all of it is shown now.
     */
    finish({ content, step }: { readonly content: string; readonly step: number }): boolean {
      const isShown =
        content === "" || (step === current.step && current.text !== "" && grow(content));
      endLine();
      return isShown;
    },
  };
}
