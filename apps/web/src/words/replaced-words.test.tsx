import { QueryClientProvider } from "@tanstack/react-query";
import { askKinds, toolWords, type Card, type LogLine } from "@bron/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testQueryClient } from "../render-hook.fixture.tsx";
import type { Item, ToolState } from "../run/item.ts";
import { TimelineItem } from "../run/timeline-item.tsx";
import { texts } from "../texts.ts";

/** Stands for a text in another language. */
const foreign = (text: string) => text.replaceAll(/[A-Za-z]/g, "ж");
const undo: (() => void)[] = [];

/** Replaces every text of a table, and what its functions return, in place. */
function replaceTexts(table: Record<string, unknown>, seen = new Set<unknown>()): void {
  if (seen.has(table)) return;
  seen.add(table);
  for (const [key, before] of Object.entries(table)) {
    if (typeof before === "object" && before !== null)
      replaceTexts(before as Record<string, unknown>, seen);
    else if (typeof before === "string" || typeof before === "function") {
      undo.push(() => (table[key] = before));
      table[key] =
        typeof before === "string"
          ? foreign(before)
          : (...values: unknown[]) =>
              translated((before as (...all: unknown[]) => unknown)(...values));
    }
  }
}

function translated(value: unknown): unknown {
  if (typeof value === "string") return foreign(value);
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, translated(one)]));
}

beforeAll(() => replaceTexts(texts as unknown as Record<string, unknown>));
afterAll(() => {
  for (const back of undo.toReversed()) back();
});

const at = "2026-01-05T09:00:00.000Z";
const key = "1";
const level = "info";
const failure = { code: "model_timeout" } as const;
const line = (value: LogLine): Item => ({ kind: "line", key, line: value });
const summary = (payload: object): Item => ({
  kind: "card",
  key,
  card: { kind: "RunSummaryCard", payload } as unknown as Card,
});
const tool = (name: string, state: ToolState, more: object = {}): Item => ({
  kind: "tool",
  key,
  tool: name,
  state,
  input: {},
  startedAt: at,
  endedAt: "2026-01-05T09:00:05.000Z",
  ...more,
});
const tools = [...Object.keys(toolWords.forms), "*", "gmail_*"];
const states: readonly ToolState[] = [
  "running",
  "completed",
  "failed",
  "rejected",
  "canceled",
  "unknown",
];
const notDoneCauses = Object.keys(texts.cards.notDone.causes);
const asks = askKinds.map((kind, id) => ({
  key: String(id),
  kind,
  people: ["Ева", "Пол"],
  things: ["план"],
  state: "open" as const,
}));

const items: readonly (readonly [string, readonly Item[]])[] = [
  [
    "lines of the log",
    [
      line({ level, kind: "message_truncated" }),
      line({ level, kind: "reused", tool: "gmail_send", runId: "2", isUnknown: true }),
      line({ level, kind: "model_retry", error: failure, delayMs: 1_000 }),
      ...(["unavailable", "not_configured"] as const).map((why) =>
        line({ level, kind: "model_replaced", wanted: "1", model: "2", why }),
      ),
      line({ level, kind: "files_not_shown" }),
      line({ level, kind: "asked_for", asks: [] }),
      line({ level, kind: "asked_for", asks }),
      line({ level, kind: "words_not_read" }),
      line({
        level,
        kind: "effect_unclear",
        tool: "slack_post",
        why: { code: "started_too_late" },
      }),
      line({ level, kind: "effect_retry", tool: "slack_post" }),
      line({ level, kind: "effect_interrupted", tool: "slack_post", delayMs: 65_000 }),
      line({ level, kind: "outage", code: "database_busy" }),
      line({ level, kind: "waiting", delayMs: 1_000 }),
    ],
  ],
  ["calls of every tool", tools.flatMap((name) => states.map((state) => tool(name, state)))],
  [
    "calls that were not done",
    notDoneCauses.map((cause) =>
      tool("gmail_send", "rejected", { notDone: { cause }, isReused: true }),
    ),
  ],
  [
    "summaries",
    [
      summary({
        outcome: "succeeded",
        did: tools.map((name) => ({ tool: name, count: 2, reused: true })),
        notDone: notDoneCauses.map((cause) => ({ tool: "gmail_send", cause })),
        effectsNotDone: 1,
        unread: ["план"],
        nextAction: "retry_rest",
      }),
      summary({
        outcome: "failed",
        did: [],
        notDone: [],
        error: failure,
        unfinished: [{ title: "план", status: "failed", error: failure }],
        partialText: "план",
        nextAction: "resolve_error",
      }),
      summary({ outcome: "canceled", did: [], notDone: [], nextAction: "retry" }),
    ],
  ],
  [
    "a plan, words, waits and changes of tools",
    [
      { kind: "plan", key, asks, prohibitions: [] },
      { kind: "plan", key, asks: [], prohibitions: [] },
      { kind: "user", key, text: "план", isFromParent: true },
      { kind: "user", key, text: "план", program: "1", isWaiting: true },
      { kind: "connected", key, provider: "google" },
      { kind: "tools", key, added: tools, removed: ["clock"], changed: ["plan"] },
    ] as unknown as Item[],
  ],
];

it.each(items)("BR18 has no text of its own in %s", (_, shown) => {
  const client = testQueryClient();
  const sentences = shown.flatMap((item) =>
    textIn(
      renderToStaticMarkup(
        <QueryClientProvider client={client}>
          <TimelineItem
            item={item}
            runId="1"
            progress={undefined}
            isWaiting
            isWaitingForAccount={false}
            onAsked={() => undefined}
          />
        </QueryClientProvider>,
      ),
    ),
  );
  expect(sentences.length).toBeGreaterThan(shown.length - 1);
  expect(sentences.filter((text) => /[A-Za-z]{3,}/.test(text))).toEqual([]);
});

/** The texts of a page, without names of tools and other data in monospace. */
function textIn(markup: string): string[] {
  return markup
    .replaceAll(/<(code|pre)[^>]*>.*?<\/\1>/gs, "")
    .replaceAll(/&[#\w]+;/g, "'")
    .split(/<[^>]+>/)
    .filter((text) => text.trim() !== "");
}
