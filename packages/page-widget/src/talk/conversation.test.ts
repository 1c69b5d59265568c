import type { PageResponse, SubmitToolResultsInput } from "@bron/page/wire";
import { describe, expect, it } from "vitest";
import { createConversation } from "./conversation.ts";
import { readEvents, RequestProblem } from "./read-events.ts";
import { resumeCalls } from "./rounds.ts";
import type { OpenCalls, StoredConversation } from "./stored-conversation.ts";
import type { Transport } from "./transport.ts";

type Next = PageResponse | RequestProblem;

const said = (message: string): PageResponse => ({
  type: "response",
  message,
  outcome: "done",
  history: [
    { id: "u", role: "user", content: "Hi", timestamp: "" },
    { id: "a", role: "assistant", content: message, timestamp: "" },
  ],
  state: `after ${message}`,
});
const asks = (...ids: string[]): PageResponse => ({
  type: "tool-calls",
  calls: ids.map((id) => ({ id, name: "look", args: {}, category: "page-automation" })),
  approvals: [],
  history: [],
  state: `asked ${ids.join()}`,
});

function harness(...replies: Next[]) {
  const sent: Partial<SubmitToolResultsInput & { message: string }>[] = [];
  let kept: StoredConversation | undefined;
  const reply = async (input: object) => {
    sent.push(input);
    const next = replies.shift();
    if (next === undefined || next instanceof RequestProblem)
      throw next ?? new RequestProblem("connection_lost", "");
    return next;
  };
  const transport: Transport = { send: reply, submit: reply };
  const ran: string[] = [];
  const page = { tools: [] as string[], onRun: () => undefined as unknown };
  let ids = 0;
  const conversation = createConversation({
    transport,
    store: {
      load: () => kept,
      save: (conversation) => (kept = conversation),
      clear: () => (kept = undefined),
    },
    site: () => "test",
    readPage: async () => ({
      toolDefinitions: page.tools.map((name) => ({
        name,
        description: name,
        inputSchema: { type: "object" as const, properties: {} },
        category: "page-automation" as const,
      })),
      pageState: { url: "", title: "", kind: "full", content: "" },
    }),
    async run({ id }) {
      ran.push(id);
      page.onRun();
      return { callId: id, result: "{}" };
    },
    lastElement: () => 0,
    onChange: () => undefined,
    newId: () => `id-${(ids += 1)}`,
    wait: async () => undefined,
  });
  return { conversation, sent, ran, page };
}

describe("a task", () => {
  it("gives each call exactly one result, and ends with the answer", async () => {
    const { conversation, sent, ran } = harness(asks("a", "b"), asks("c"), said("Done"));
    await conversation.send("Hi");
    expect(ran).toEqual(["a", "b", "c"]);
    expect(sent.map(({ results }) => results?.map(({ callId }) => callId))).toEqual([
      undefined,
      ["a", "b"],
      ["c"],
    ]);
    expect(sent[2]?.state).toBe("asked c");
    expect(conversation.state.messages.at(-1)?.content).toBe("Done");
    expect(conversation.state.isLoading).toBe(false);
  });

  it("sends no results while it waits for an approval on the server", async () => {
    const waiting: PageResponse = {
      ...asks(),
      type: "tool-calls",
      calls: [],
      approvals: [{ id: "p", preview: "Refund the order", url: "/approve/p" }],
    };
    const { conversation, sent } = harness(waiting, waiting, said("Refunded"));
    await conversation.send("Refund it");
    expect(sent.map(({ results }) => results)).toEqual([undefined, [], []]);
    expect(conversation.state.approvals).toEqual([]);
  });

  it("starts from its words when the handler does not accept the state any more", async () => {
    const { conversation, sent } = harness(
      said("One"),
      new RequestProblem("expired_state", ""),
      said("Two"),
    );
    await conversation.send("Hi");
    await conversation.send("Again");
    expect(sent.map(({ state }) => state)).toEqual([undefined, "after One", undefined]);
    expect(conversation.state.error).toBeUndefined();
  });

  it("keeps results that could not be sent, and sends the same ones with Try again", async () => {
    const { conversation, sent, ran } = harness(
      asks("a"),
      new RequestProblem("connection_lost", ""),
      said("Done"),
    );
    await conversation.send("Hi");
    expect(conversation.state.error?.code).toBe("connection_lost");
    await conversation.retry();
    expect(ran).toEqual(["a"]);
    expect(sent[2]).toMatchObject({ state: "asked a", results: [{ callId: "a" }] });
    expect(conversation.state.error).toBeUndefined();
  });

  it("gives up a task that takes too many rounds", async () => {
    const { conversation } = harness(
      ...Array.from({ length: 80 }, (_, index) => asks(`c${index}`)),
    );
    await conversation.send("Loop");
    expect(conversation.state.error?.code).toBe("too_many_steps");
  });

  it("keeps a message in sight that was stopped", async () => {
    const { conversation } = harness(new RequestProblem("connection_lost", ""));
    await conversation.send("Hi");
    conversation.stop();
    expect(conversation.state.messages.map(({ content }) => content)).toEqual(["Hi"]);
    expect(conversation.state.error).toBeUndefined();
  });
});

describe("a reload", () => {
  const open: OpenCalls = {
    calls: ["a", "b", "c"].map((id) => ({
      id,
      name: "look",
      args: {},
      category: "page-automation" as const,
    })),
    approvals: [],
    tools: [],
    results: [{ callId: "a", result: "{}" }],
    running: { callId: "b", url: "https://shop.example/one" },
  };

  it("gives the call that had started what is known, and an error to those that had not", () => {
    const { results, running } = resumeCalls(open, "https://shop.example/two");
    expect(results.map(({ callId, isError }) => [callId, isError])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", true],
    ]);
    expect(running).toBeUndefined();
  });

  it("does not claim success when the same page was loaded again", () => {
    const { results } = resumeCalls(open, "https://shop.example/one");
    expect(results[1]?.isError).toBe(true);
  });
});

describe("readEvents", () => {
  const streamOf = (...chunks: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });

  it("reads lines that arrive in pieces", async () => {
    const deltas: string[] = [];
    const end = JSON.stringify({ type: "RUN_FINISHED", result: said("ü") });
    const result = await readEvents(
      streamOf('{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","del', `ta":"ü"}\n${end}`),
      (event) => event.type === "TEXT_MESSAGE_CONTENT" && deltas.push(event.delta),
    );
    expect(deltas).toEqual(["ü"]);
    expect(result).toMatchObject({ message: "ü" });
  });

  it("takes a stream without an end for a lost connection", async () => {
    await expect(
      readEvents(streamOf('{"type":"RUN_STARTED"}\n'), () => undefined),
    ).rejects.toMatchObject({ code: "connection_lost" });
  });
});

it("declares a tool again whose result it sends, although the page has lost it", async () => {
  const { conversation, sent, page } = harness(asks("a"), said("Done"));
  page.tools = ["look"];
  const sending = conversation.send("Hi");
  page.onRun = () => (page.tools = ["other"]);
  await sending;
  expect(sent.map(({ toolDefinitions }) => toolDefinitions?.map(({ name }) => name))).toEqual([
    ["look"],
    ["other", "look"],
  ]);
});
