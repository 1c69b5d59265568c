import type { RunView } from "@bron/protocol";
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { queries } from "./queries.ts";
import { addToThread, updateInThread } from "./thread-cache.ts";

const run = (id: string, lastSeq = 1) => ({ id, threadId: "t", lastSeq }) as RunView;

function clientWith(...runs: RunView[]): QueryClient {
  const client = new QueryClient();
  const page = { runs, next: null };
  client.setQueryData(queries.thread("t").queryKey, {
    pages: [page as never],
    pageParams: [undefined],
  });
  return client;
}
const runsOf = (client: QueryClient) =>
  client.getQueryData(queries.thread("t").queryKey)?.pages.flatMap(({ runs }) => runs);

it("adds a new task to the end of its conversation, once", () => {
  const client = clientWith(run("a"));
  addToThread(client, run("b"));
  addToThread(client, run("b"));
  expect(runsOf(client)).toEqual([run("a"), run("b")]);
  expect(client.getQueryData(queries.run("b").queryKey)).toEqual(run("b"));
});

it("replaces a task by its newer state, and never by an older one", () => {
  const client = clientWith(run("a", 5), run("b"));
  updateInThread(client, run("a", 6));
  updateInThread(client, run("a", 4));
  expect(runsOf(client)).toEqual([run("a", 6), run("b")]);
});

it("leaves a conversation alone that is not loaded", () => {
  const client = new QueryClient();
  addToThread(client, run("a"));
  expect(runsOf(client)).toBeUndefined();
});
