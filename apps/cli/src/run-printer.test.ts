import type { PartialText, NewEvent, RunEvent } from "@bron/protocol";
import { expect, test } from "vitest";
import { createFakeTerminal, type FakeTerminal } from "./fake-terminal.fixture.ts";
import { createJsonPrinter, createTextPrinter, type RunPrinter } from "./run-printer.ts";

function numbered(events: readonly NewEvent[]): RunEvent[] {
  return events.map((event, index) => ({
    ...event,
    runId: "run-1",
    seq: index + 1,
    createdAt: "2026-11-15T12:00:00.000Z",
  }));
}

function soFar(step: number, text: string, attempt = 1): PartialText {
  return { step, attempt, text };
}

const start = (step: number, attempt = 1): NewEvent => ({
  type: "step",
  payload: { phase: "start", step, attempt, model: "m", reservedMicrousd: 0, activeMs: 0 },
});
const response = (step: number, content: string, final = true): NewEvent => ({
  type: "message",
  payload: {
    role: "assistant",
    content,
    step,
    final,
    parts: [{ type: "text", text: content, provider: { google: { thoughtSignature: "secret" } } }],
  },
});
const toolCall: readonly NewEvent[] = [
  {
    type: "step",
    payload: {
      phase: "end",
      step: 1,
      attempt: 1,
      finish: "tool-calls",
      calls: [{ actionId: "a", callId: "c", tool: "calculator", input: { expression: "6*7" } }],
    },
  },
  { type: "tool", payload: { phase: "start", actionId: "a", name: "calculator", attempt: 1 } },
  {
    type: "tool",
    payload: {
      phase: "end",
      actionId: "a",
      name: "calculator",
      outcome: "completed",
      output: { result: 42 },
    },
  },
];
const whole: readonly NewEvent[] = [
  { type: "status", payload: { status: "queued" } },
  { type: "message", payload: { role: "user", content: "6*7?" } },
  { type: "status", payload: { status: "planning" } },
  start(1),
  ...toolCall,
  { type: "status", payload: { status: "executing" } },
  start(2),
  response(2, "It is 42."),
  {
    type: "ui",
    payload: {
      kind: "RunSummaryCard",
      payload: { outcome: "succeeded", did: [], notDone: [] },
    },
  },
  { type: "status", payload: { status: "completed" } },
];

function print(printer: RunPrinter, events: readonly NewEvent[]): void {
  for (const event of numbered(events)) printer.event(event);
}

function textOf(
  events: readonly NewEvent[],
  terminal: FakeTerminal = createFakeTerminal(),
): FakeTerminal {
  print(createTextPrinter(terminal), events);
  return terminal;
}

test("writes only the answer to standard output, and progress to standard error", () => {
  const terminal = textOf(whole);
  expect(terminal.written("out")).toBe("It is 42.\n");
  expect(terminal.written("err")).toMatchInlineSnapshot(`
    "  Running
      Calculated: 6*7 = 42
    "
  `);
});

test("streams the answer to a terminal, without repeating it", () => {
  const terminal = createFakeTerminal({ isLive: true });
  const printer = createTextPrinter(terminal);
  print(printer, [start(1)]);
  printer.partialText(soFar(1, "It is"));
  expect(terminal.shown()).toBe("It is");
  printer.partialText(soFar(1, "It is 42."));
  // An older state may arrive after a newer one.
  printer.partialText(soFar(1, "It is"));
  print(printer, [response(1, "It is 42.")]);
  expect(terminal.shown()).toBe("It is 42.\n");
});

test("holds back text that is ahead of the log until its tool calls are shown", () => {
  const terminal = createFakeTerminal({ isLive: true });
  const printer = createTextPrinter(terminal);
  printer.partialText(soFar(2, "It is 42."));
  print(printer, [start(1), ...toolCall, start(2), response(2, "It is 42.")]);
  expect(terminal.shown()).toMatchInlineSnapshot(`
    "  Calculated: 6*7 = 42
    It is 42.
    "
  `);
});

test("shows the complete answer of the next attempt after a failed one", () => {
  const terminal = createFakeTerminal({ isLive: true });
  const printer = createTextPrinter(terminal);
  print(printer, [start(1)]);
  printer.partialText(soFar(1, "It i"));
  print(printer, [
    {
      type: "log",
      payload: {
        level: "warn",
        kind: "model_retry",
        error: { code: "model_response_invalid", why: { code: "response_cut_off" } },
        delayMs: 900,
      },
    },
    start(1, 2),
  ]);
  printer.partialText(soFar(1, "It is 42.", 2));
  print(printer, [response(1, "It is 42.")]);
  expect(terminal.shown()).toMatchInlineSnapshot(`
    "It i
      warn: The model's response was cut off. Trying again in 1s.
      Asking the model again (attempt 2)
    It is 42.
    "
  `);
});

test("completes a partial answer from the log, and shows a different one in full", () => {
  const shown = (beginning: string) => {
    const terminal = createFakeTerminal({ isLive: true });
    const printer = createTextPrinter(terminal);
    print(printer, [start(1)]);
    printer.partialText(soFar(1, beginning));
    print(printer, [response(1, "It is 42.")]);
    return terminal.shown();
  };
  expect(shown("It i")).toBe("It is 42.\n");
  expect(shown("It was")).toBe("It was\nIt is 42.\n");
});

test("shows the answer of another process once it is finished", () => {
  expect(
    textOf([start(1), response(1, "It is 42.")], createFakeTerminal({ isLive: true })).shown(),
  ).toBe("It is 42.\n");
});

test("escapes control sequences in model and tool output", () => {
  const terminal = textOf([
    response(1, "a\u001B]0;x\u0007b\u202Ec"),
    { type: "log", payload: { level: "info", message: "\u001B[2J" } },
  ]);
  for (const character of ["\u001B", "\u0007", "\u202E"])
    expect(terminal.shown()).not.toContain(character);
});

test("JSON has one complete event per line, without the parts that only the model needs", () => {
  const terminal = createFakeTerminal();
  print(createJsonPrinter(terminal), whole);
  const events = terminal
    .written("out")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
  expect(events.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index + 1));
  expect(Object.keys(events[0] ?? {})).toEqual(["runId", "seq", "createdAt", "type", "payload"]);
  expect(terminal.shown()).not.toContain("secret");
  expect(terminal.written("err")).toBe("");
});

test("says once that the model thinks, and how far a tool is, on standard error", () => {
  let now = 0;
  const terminal = { ...createFakeTerminal({ isLive: true }), now: () => new Date(now) };
  const printer = createTextPrinter(terminal);
  print(printer, [start(1)]);
  printer.partialText({ ...soFar(1, ""), thoughts: { from: 0, text: "I should" } });
  printer.partialText({ ...soFar(1, ""), thoughts: { from: 0, text: "I should look" } });
  printer.partialText({ ...soFar(1, "It is"), thoughts: { from: 0, text: "I should look" } });
  const progress = (message: string) =>
    printer.partialText({ ...soFar(1, ""), progress: [{ actionId: "a", message }] });
  progress("1 of 40 pages");
  progress("2 of 40 pages");
  now += 1_000;
  progress("20 of\u001b[2J 40 pages");
  expect(terminal.written("out")).toBe("It is\n");
  expect(
    terminal
      .written("err")
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["Thinking…", "1 of 40 pages", expect.stringMatching(/^20 of.*40 pages$/), ""]);
  expect(terminal.written("err")).not.toContain("\u001b[2J");
});

test("writes no thoughts and no progress to a file", () => {
  const terminal = createFakeTerminal();
  createTextPrinter(terminal).partialText({
    ...soFar(1, ""),
    thoughts: { from: 0, text: "I should" },
    progress: [{ actionId: "a", message: "1 of 40 pages" }],
  });
  expect(terminal.written("err")).toBe("");
});
