import type { Terminal } from "./terminal.ts";

export interface FakeTerminal extends Terminal {
  /** Both streams in the order of their writes, as a person at a terminal sees them. */
  shown(): string;
  written(stream: "out" | "err"): string;
}

export function createFakeTerminal(overrides: Partial<Terminal> = {}): FakeTerminal {
  const pieces: { readonly stream: "out" | "err"; readonly text: string }[] = [];
  return {
    out: (text) => void pieces.push({ stream: "out", text }),
    err: (text) => void pieces.push({ stream: "err", text }),
    isLive: false,
    canAsk: false,
    color: false,
    columns: 100,
    calledAs: "bron",
    stop: new AbortController().signal,
    now: () => new Date("2026-11-15T12:00:00Z"),
    ask: async () => "",
    waitForKey: async () => false,
    askWords: async () => ({ words: "", pasted: [] }),
    readInput: async () => "",
    readPiped: async () => undefined,
    ...overrides,
    shown: () => pieces.map(({ text }) => text).join(""),
    written: (stream) =>
      pieces
        .filter((piece) => piece.stream === stream)
        .map(({ text }) => text)
        .join(""),
  };
}
