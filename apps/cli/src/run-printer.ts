import {
  isParked,
  isTerminal,
  type ActionView,
  type PartialText,
  type EventView,
  visible,
} from "@bron/protocol";
import { renderCard } from "./render/card.ts";
import { eventJson } from "./render/event-json.ts";
import { createEventDescriber } from "./render/event-line.ts";
import { paint, type Terminal } from "./terminal.ts";

/** Shows one run while it happens. */
export interface RunPrinter {
  event(event: EventView): void;
  /** The answer in progress, all of it so far. */
  answer(answer: PartialText): void;
}

export function createJsonPrinter(terminal: Terminal): RunPrinter {
  return { event: (event) => terminal.out(`${eventJson(event)}\n`), answer: () => undefined };
}

/**
 * Progress goes to standard error; the answer and the cards, which are what came of it, to standard output.
 * `earlier`: the actions that were planned before the first event that is shown.
 */
export function createTextPrinter(
  terminal: Terminal,
  earlier: readonly ActionView[] = [],
): RunPrinter {
  const describe = createEventDescriber(earlier);
  const answer = createLiveAnswer(terminal);

  const progress = (event: EventView) => {
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
    answer: answer.show,
    event(event) {
      if (event.type === "step" && event.payload.phase === "start")
        answer.begin(event.payload.step, event.payload.attempt);
      if (event.type === "message") {
        if (event.payload.role === "user" || answer.finish(event.payload)) return;
        if (event.payload.final) return terminal.out(`${visible(event.payload.content)}\n`);
      }
      if (event.type === "ui") {
        // The answer itself says how it went.
        const isPlainSuccess =
          event.payload.kind === "RunSummaryCard" &&
          event.payload.payload["outcome"] === "succeeded";
        return isPlainSuccess
          ? undefined
          : card(renderCard(event.payload.kind, event.payload.payload, terminal.now()));
      }
      progress(event);
    },
  };
}

/** How it ended or why it waits is said at the end, in a sentence; an approval is asked for by its card. */
function isSaidBetter(event: EventView): boolean {
  if (event.type === "status")
    return isTerminal(event.payload.status) || isParked(event.payload.status);
  return event.type === "approval" && event.payload.state === "requested";
}

function isBad(event: EventView): boolean {
  if (event.type === "log") return event.payload.level !== "info";
  return (
    event.type === "tool" && event.payload.phase === "end" && event.payload.outcome !== "completed"
  );
}

/**
 * The answer as it is made. It comes faster than the log: that of a step whose start has not been shown yet waits for it,
 * so that it does not stand before the tools that led to it.
 */
function createLiveAnswer(terminal: Terminal) {
  let current: PartialText = { step: 0, attempt: 0, text: "" };
  let early: PartialText | undefined;
  let isMidLine = false;

  const endLine = () => {
    if (isMidLine) terminal.out("\n");
    isMidLine = false;
  };
  const isCurrent = ({ step, attempt }: PartialText) =>
    step === current.step && attempt === current.attempt;
  /** Only what has not been shown; one that does not go on from that is an older state, or none of ours. */
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
    show(answer: PartialText) {
      if (!terminal.isLive) return;
      if (isCurrent(answer)) grow(answer.text);
      else early = answer;
    },
    /** A new attempt begins its answer again. */
    begin(step: number, attempt: number) {
      endLine();
      current = { step, attempt, text: "" };
      if (early && isCurrent(early)) grow(early.text);
    },
    /** Whether the whole message has been shown: what was begun is brought to its end. */
    finish({ content, step }: { readonly content: string; readonly step: number }): boolean {
      const isShown =
        content === "" || (step === current.step && current.text !== "" && grow(content));
      endLine();
      return isShown;
    },
  };
}
