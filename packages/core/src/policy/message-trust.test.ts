import { omitUndefined, type RunEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { isMessageTrusted } from "./message-trust.ts";

const message = (trusted: boolean | undefined, final: boolean): RunEvent => ({
  runId: "r",
  seq: 1,
  createdAt: "2026-11-15T12:00:00.000Z",
  type: "message",
  payload: {
    role: "assistant",
    content: "",
    final,
    step: 1,
    parts: [],
    ...omitUndefined({ trusted }),
  },
});

const words = (): RunEvent => ({
  runId: "r",
  seq: 1,
  createdAt: "2026-11-15T12:00:00.000Z",
  type: "message",
  payload: { role: "user", content: "", from: "parent", trusted: true },
});

it("judges only what the model wrote", () => {
  const events = [words(), message(false, false), message(true, true), words()];
  expect(isMessageTrusted(events, "first")).toBe(false);
  expect(isMessageTrusted(events, "latest")).toBe(true);
  const untrusted = [words(), message(false, true), words()];
  expect(isMessageTrusted(untrusted, "latest")).toBe(false);
});

it("judges the first, the latest and the final message by themselves", () => {
  const events = [message(true, false), message(false, true), message(true, false)];
  expect(isMessageTrusted(events, "first")).toBe(true);
  expect(isMessageTrusted(events, "latest")).toBe(true);
  expect(isMessageTrusted(events, "final")).toBe(false);
});

it("does not trust a message of a log that does not say it", () => {
  expect(isMessageTrusted([message(undefined, true)], "final")).toBe(false);
});

it("says nothing about a message that was not written", () => {
  expect(isMessageTrusted([message(true, false)], "final")).toBeUndefined();
  expect(isMessageTrusted([], "first")).toBeUndefined();
});
