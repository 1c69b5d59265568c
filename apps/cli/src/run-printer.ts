import {
  isParked,
  isTerminal,
  reportOutcomeName,
  toolLabel,
  type CardKind,
  type PartialText,
  type EventView,
  type RunView,
  visible,
} from "@bron/protocol";
import { renderApproval, renderCard } from "./render/card.ts";
import { describeChildRun } from "./render/child-run.ts";
import { eventJson } from "./render/event-json.ts";
import { asCalled } from "./called-as.ts";
import { createEventDescriber, describeApart, type DescribeOptions } from "./render/event-line.ts";
import { isSummaryTelling } from "./render/run-summary.ts";
import { shortId } from "./render/short-id.ts";
import { truncate } from "./render/table.ts";
import { oneLine } from "./render/visible.ts";
import { wrap, wrapAll } from "./render/wrap.ts";
import { paint, type Terminal } from "./terminal.ts";

/** Prints one run while it is running. */
export interface RunPrinter {
  event(event: EventView): void;
  /** Receives the full partial text so far, not a delta. */
  partialText(text: PartialText): void;
  /** A child run as it is now. What has been printed about it is not repeated. */
  childRun(run: RunView): void;
  /** Ends the line that is being written. */
  end(): void;
}

export function createJsonPrinter(terminal: Terminal): RunPrinter {
  return {
    event: (event) => terminal.out(`${eventJson(event)}\n`),
    partialText: () => undefined,
    childRun: () => undefined,
    end: () => undefined,
  };
}

interface PrinterOptions extends DescribeOptions {
  /** The person is asked after the run is shown, and needs no commands. */
  readonly asksNext?: boolean;
}

/** Writes progress to standard error, and the results (messages and cards) to standard output. */
export function createTextPrinter(terminal: Terminal, options: PrinterOptions = {}): RunPrinter {
  const { isVerbose = false, asksNext = false } = options;
  const describe = createEventDescriber(options);
  const doing = createDoingLine(terminal);
  const live = createLiveText(terminal, doing.clear);
  const work = createLiveWork(terminal, { endLine: live.endLine, doing });
  /** The last line about each child run. */
  const children = new Map<string, string | undefined>();

  const progress = (event: EventView) => {
    const text = describe(event);
    if (text === undefined || isReportedElsewhere(event)) return;
    // The person is asked next, with the choices.
    if (asksNext && event.type === "question" && event.payload.state === "pending") return;
    live.endLine();
    const lines = wrap(`  ${withCommands(terminal, event, text)}`, terminal.columns).join("\n");
    terminal.err(`${paint(terminal, isBad(event) ? "yellow" : "dim", lines)}\n`);
  };

  /** Shows the running step in a line that the next output replaces. */
  const showDoing = (event: EventView) => {
    if (event.type !== "tool" || event.payload.phase !== "start" || isVerbose) return;
    if (event.payload.name !== reportOutcomeName)
      doing.show(`${oneLine(toolLabel(event.payload.name))}…`);
  };

  /** Says which part of the task does not count as the owner's words. */
  const apart = ({ runId, payload }: EventView) => {
    const split = "split" in payload ? payload.split : undefined;
    const texts = describeApart(split).filter((_, index) => split?.apart[index]?.from === "words");
    for (const text of texts)
      terminal.err(`${paint(terminal, "yellow", `  ${capitalized(text)}`)}\n`);
    if (texts.length > 0)
      terminal.err(
        `${paint(terminal, "dim", `  If it is your own text: ${terminal.calledAs} runs put-back ${shortId(runId)}`)}\n`,
      );
  };

  const card = (lines: readonly string[]) => {
    live.endLine();
    const [head = "", ...rest] = lines;
    const wrapped = wrapAll(rest, terminal.columns);
    terminal.out(`${[paint(terminal, "bold", head), ...wrapped].join("\n")}\n`);
  };

  const show = (event: EventView): void => {
    if (event.type === "step" && event.payload.phase === "start")
      live.start(event.payload.step, event.payload.attempt);
    if (event.type === "message") {
      if (event.payload.role === "user") return apart(event);
      if (live.finish(event.payload)) return;
      live.endLine();
      if (event.payload.final) return terminal.out(`${visible(event.payload.content)}\n`);
    }
    if (event.type === "approval" && event.payload.state === "pending" && !event.payload.reopened)
      return card(
        renderApproval(event.payload, {
          now: terminal.now(),
          calledAs: terminal.calledAs,
          isVerbose,
          asksNext,
        }),
      );
    if (event.type === "ui") {
      // The approval has been shown, because its event precedes the card.
      if (event.payload.kind === "ApprovalCard") return undefined;
      // The last message and the closing line report what went well.
      return event.payload.kind === "RunSummaryCard" && !isSummaryTelling(event.payload.payload)
        ? undefined
        : card(renderCard(event.payload.kind, event.payload.payload, terminal.calledAs));
    }
    progress(event);
    showDoing(event);
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
    event: holdWhileRunning(show),
    end: live.endLine,
  };
}

/** What a running step shows is printed below the line that says what the step did. */
function holdWhileRunning(show: (event: EventView) => void): (event: EventView) => void {
  const running = new Set<string>();
  let held: EventView[] = [];
  return (event) => {
    if (running.size > 0 && isOfStep(event)) return void held.push(event);
    if (event.type === "tool" && event.payload.phase === "start") {
      running.add(event.payload.actionId);
      return show(event);
    }
    if (event.type === "tool") running.delete(event.payload.actionId);
    show(event);
    if (event.type !== "tool" && event.type !== "status") return;
    const shown = held;
    held = [];
    for (const one of shown) show(one);
  };
}

/** Cards of the run itself never wait for a step. */
function isOfStep(event: EventView): boolean {
  return event.type === "artifact" || (event.type === "ui" && !cardsOfRun.has(event.payload.kind));
}

const cardsOfRun: ReadonlySet<CardKind> = new Set<CardKind>([
  "ApprovalCard",
  "ReconnectCard",
  "RunSummaryCard",
  "UnknownEffectCard",
]);

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/**
 * The closing line reports the final or waiting status, and `childRun` the child runs. Every run is
 * queued first.
 */
function isReportedElsewhere(event: EventView): boolean {
  return (
    event.type === "child_run" ||
    (event.type === "status" &&
      (event.payload.status === "queued" ||
        isTerminal(event.payload.status) ||
        isParked(event.payload.status)))
  );
}

function isBad(event: EventView): boolean {
  if (event.type === "log") return event.payload.level !== "info";
  return (
    event.type === "tool" && event.payload.phase === "end" && event.payload.outcome !== "completed"
  );
}

const clearLine = "\r\u001B[K";

/** A line about the running step, which does not stay on the screen. */
function createDoingLine(terminal: Terminal) {
  let isShown = false;
  const canReplace = terminal.isLive && terminal.canAsk;
  return {
    /** Returns whether the terminal can replace a line. */
    show(text: string): boolean {
      if (!canReplace) return false;
      // A line that the terminal breaks cannot be replaced as one.
      const fitting = truncate(`  ${text}`, terminal.columns - 1);
      terminal.err(`${isShown ? clearLine : ""}${paint(terminal, "dim", fitting)}`);
      isShown = true;
      return true;
    },
    clear() {
      if (isShown) terminal.err(clearLine);
      isShown = false;
    },
  };
}

/** A running tool gets a new line at most this often. */
const progressMs = 1_000;

/** Prints that the model thinks, once for each attempt of a step, and how far running tools are. */
function createLiveWork(
  terminal: Terminal,
  { endLine, doing }: { endLine(): void; readonly doing: ReturnType<typeof createDoingLine> },
) {
  let thinking = "";
  const shown = new Map<string, { readonly message: string; readonly at: number }>();
  const line = (text: string) => {
    if (doing.show(text)) return;
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
function createLiveText(terminal: Terminal, clearDoing: () => void) {
  let current: PartialText = { step: 0, attempt: 0, text: "" };
  let early: PartialText | undefined;
  let isMidLine = false;

  const endLine = () => {
    clearDoing();
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
      clearDoing();
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

/** Only the line of an effect names a command. Others quote texts that must stay as they are. */
function withCommands(terminal: Terminal, { type }: EventView, text: string): string {
  return type === "effect" ? asCalled(terminal, text) : text;
}
