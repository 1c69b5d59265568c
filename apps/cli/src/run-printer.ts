import type { AnswerDelta } from "@bron/core";
import { isParked, isTerminal, type ActionView, type AssistantMessage, type RunEvent } from "@bron/protocol";
import { renderCard } from "./render/card.ts";
import { eventJson } from "./render/event-json.ts";
import { createEventDescriber } from "./render/event-line.ts";
import { visible } from "./render/visible.ts";
import { paint, type Terminal } from "./terminal.ts";

/** Shows one run while it happens. */
export interface RunPrinter {
  event(event: RunEvent): void;
  delta(delta: AnswerDelta): void;
}

export function createJsonPrinter(terminal: Terminal): RunPrinter {
  return { event: (event) => terminal.out(`${eventJson(event)}\n`), delta: () => undefined };
}

/**
 * Progress goes to standard error; the answer and the cards, which are what came of it, to standard output.
 * `earlier`: the actions that were planned before the first event that is shown.
 */
export function createTextPrinter(terminal: Terminal, earlier: readonly ActionView[] = []): RunPrinter {
  const describe = createEventDescriber(earlier);
  const answer = createLiveAnswer(terminal);

  const progress = (event: RunEvent) => {
    const text = describe(event);
    if (text === undefined || isSaidBetter(event)) return;
    answer.endLine();
    terminal.err(`${paint(terminal, isBad(event) ? "yellow" : "dim", `  ${text}`)}\n`);
  };

  const card = (lines: readonly string[]) => {
    answer.endLine();
    const [head = "", ...rest] = lines;
    terminal.out(`${[paint(terminal, "bold", head), ...rest].join("\n")}\n`);
  };

  return {
    delta: answer.delta,
    event(event) {
      if (event.type === "step" && event.payload.phase === "start") answer.begin(event.payload.step, event.payload.attempt);
      if (event.type === "message") {
        if (event.payload.role === "user" || answer.finish(event.payload)) return;
        if (event.payload.final) return terminal.out(`${visible(event.payload.content)}\n`);
      }
      if (event.type === "ui") {
        // The answer itself says that it went well.
        const isPlainSuccess = event.payload.kind === "RunSummaryCard" && event.payload.payload["outcome"] === "succeeded";
        return isPlainSuccess ? undefined : card(renderCard(event.payload.kind, event.payload.payload, terminal.now()));
      }
      progress(event);
    },
  };
}

/** How it ended or why it waits is said at the end, in a sentence; an approval is asked for by its card. */
function isSaidBetter(event: RunEvent): boolean {
  if (event.type === "status") return isTerminal(event.payload.status) || isParked(event.payload.status);
  return event.type === "approval" && event.payload.state === "requested";
}

function isBad(event: RunEvent): boolean {
  if (event.type === "log") return event.payload.level !== "info";
  return event.type === "tool" && event.payload.phase === "end" && event.payload.outcome !== "completed";
}

/**
 * The answer as it is made. Pieces come faster than the log: those of a step whose start has not been shown yet wait for it,
 * so that they do not stand before the tools that led to them.
 */
function createLiveAnswer(terminal: Terminal) {
  let current = { step: 0, attempt: 0, text: "" };
  let early: AnswerDelta[] = [];
  let isMidLine = false;

  const write = (text: string) => {
    if (text === "") return;
    terminal.out(visible(text));
    isMidLine = !text.endsWith("\n");
  };
  const endLine = () => {
    if (isMidLine) terminal.out("\n");
    isMidLine = false;
  };
  const isCurrent = (delta: AnswerDelta) => delta.step === current.step && delta.attempt === current.attempt;
  const show = (delta: AnswerDelta) => {
    current.text += delta.delta;
    write(delta.delta);
  };

  return {
    endLine,
    delta(delta: AnswerDelta) {
      if (!terminal.isLive || delta.kind !== "text") return;
      if (isCurrent(delta)) show(delta);
      else early.push(delta);
    },
    /** A new attempt begins its answer again. */
    begin(step: number, attempt: number) {
      endLine();
      current = { step, attempt, text: "" };
      const mine = early.filter(isCurrent);
      early = early.filter((delta) => !isCurrent(delta));
      mine.forEach(show);
    },
    /** Whether the whole message has been shown. */
    finish(message: AssistantMessage): boolean {
      const isShown = message.content !== "" && message.step === current.step && current.text === message.content;
      endLine();
      return isShown || message.content === "";
    },
  };
}
