import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { waitForKey } from "./wait-for-key.ts";

function fakeKeyboard() {
  const stdin = new EventEmitter();
  const modes: boolean[] = [];
  const written: string[] = [];
  const deps = {
    stdin: Object.assign(stdin, {
      setRawMode: (isRaw: boolean) => void modes.push(isRaw),
      resume: () => undefined,
      pause: () => undefined,
    }) as never,
    stderr: { write: (text: string) => written.push(text) > 0 },
    stop: new AbortController().signal,
  };
  return { deps, modes, written, press: (key: string) => stdin.emit("data", Buffer.from(key)) };
}

const say = (seconds: number) => `Sending in ${seconds}s. Press u to undo.`;

test("a key within the time is noticed, and the terminal is as before", async () => {
  const { deps, modes, written, press } = fakeKeyboard();
  const pressed = waitForKey(deps, "u", { ms: 5_000, say });
  press("x");
  press("U");
  expect(await pressed).toBe(true);
  expect(modes).toEqual([true, false]);
  expect(written[0]).toContain("Sending in 5s.");
  expect(written.at(-1)).toBe("\r\u001B[K");
});

test("the time ends without a key", async () => {
  const { deps, modes } = fakeKeyboard();
  expect(await waitForKey(deps, "u", { ms: 5, say })).toBe(false);
  expect(modes).toEqual([true, false]);
});

test("a stopped command does not wait", async () => {
  const { deps, modes } = fakeKeyboard();
  expect(await waitForKey({ ...deps, stop: AbortSignal.abort() }, "u", { ms: 5_000, say })).toBe(
    false,
  );
  expect(modes).toEqual([]);
});
