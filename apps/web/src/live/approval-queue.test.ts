import { ClientError } from "@bron/client";
import { expect, it } from "vitest";
import { createApprovalQueue } from "./approval-queue.ts";

const limited = (retryAfterSeconds?: number) =>
  new ClientError("rate_limited", "Too many", {
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  });

function open() {
  const waits: number[] = [];
  const resume: (() => void)[] = [];
  const queue = createApprovalQueue((ms) => {
    waits.push(ms);
    return new Promise<void>((resolve) => resume.push(resolve));
  });
  const sent: string[] = [];
  /** Fails with these errors first. */
  const send = (id: string, ...errors: Error[]) =>
    queue.send([id], async () => {
      const error = errors.shift();
      if (error) throw error;
      sent.push(id);
      return id;
    });
  const blocked = () => expect.poll(() => resume.length).toBeGreaterThan(0);
  return { queue, send, sent, waits, blocked, resume: () => resume.shift()?.() };
}

it("BR2 sends choices in order, and those beyond the limit when the server takes them again", async () => {
  const { queue, send, sent, waits, blocked, resume } = open();
  const seen: number[] = [];
  queue.subscribe(() => seen.push(queue.waiting().size));
  const all = [send("one"), send("two", limited(52), limited()), send("three")];
  await blocked();
  expect(sent).toEqual(["one"]);
  expect([...queue.waiting()]).toEqual(["two", "three"]);
  resume();
  await blocked();
  expect(sent).toEqual(["one"]);
  resume();
  expect(await Promise.all(all)).toEqual(["one", "two", "three"]);
  expect(sent).toEqual(["one", "two", "three"]);
  expect(waits).toEqual([52_000, 5_000]);
  expect([...queue.waiting()]).toEqual([]);
  expect(Math.max(...seen)).toBe(2);
  expect(seen.at(-1)).toBe(0);
});

it("passes on other errors, and goes on with the next choice", async () => {
  const { send, queue } = open();
  const closed = new ClientError("approval_closed", "Too late");
  const [first, second] = [send("one", closed), send("two")];
  await expect(first).rejects.toBe(closed);
  expect(await second).toBe("two");
  expect(queue.waiting().size).toBe(0);
});

it("does not wait for what was not decided after a limit", async () => {
  const { send, queue, blocked, resume } = open();
  const closed = new ClientError("approval_closed", "It has expired meanwhile");
  const decided = send("one", limited(1), closed);
  await blocked();
  resume();
  await expect(decided).rejects.toBe(closed);
  expect(queue.waiting().size).toBe(0);
});

it("goes on with the next choice if the response to one stays away", async () => {
  const queue = createApprovalQueue(
    () => Promise.reject(new Error("Nothing is limited")),
    () => Promise.resolve(),
  );
  void queue.send(["one"], () => new Promise(() => undefined));
  expect(await queue.send(["two"], () => Promise.resolve("two"))).toBe("two");
});
