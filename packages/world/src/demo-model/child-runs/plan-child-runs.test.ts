import { describe, expect, it } from "vitest";
import type { ToolResult } from "../conversation.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { planChildRuns } from "./plan-child-runs.ts";

const declarations = ["spawn_bron", "await_bron"].map((name): FunctionDeclaration => ({
  name,
  description: "",
}));
const task =
  "Find out, each by a Bron of its own: what is on my calendar tomorrow?; how many unread mails I have.";
const ask = (results: readonly ToolResult[], offered = declarations, words = task) =>
  planChildRuns(
    { system: "", task: words, results, earlierResults: [], earlierWords: [], turn: 0 },
    offered,
    true,
  );
const spawned = (runId: string): ToolResult => ({
  name: "spawn_bron",
  args: {},
  response: { content: JSON.stringify({ runId, title: "x" }) },
});
const over = (runId: string, response: ToolResult["response"]): ToolResult => ({
  name: "await_bron",
  args: { runId },
  response,
});

describe("a task for several Brons", () => {
  it("BR16 is handed over part by part, awaited, and put together", () => {
    expect(ask([])?.calls?.map(({ args }) => args["prompt"])).toEqual([
      "What is on my calendar tomorrow?",
      "How many unread mails I have.",
    ]);
    expect(ask([spawned("a"), spawned("b")])?.calls).toEqual([
      { name: "await_bron", args: { runId: "a" } },
      { name: "await_bron", args: { runId: "b" } },
    ]);
    const text = ask([
      spawned("a"),
      spawned("b"),
      over("a", { content: JSON.stringify({ status: "succeeded", summary: "Nothing." }) }),
      over("b", { content: JSON.stringify({ status: "succeeded", summary: "Four." }) }),
    ])?.text;
    expect(text).toBe(
      "**what is on my calendar tomorrow?**\n\nNothing.\n\n**how many unread mails I have**\n\nFour.",
    );
  });

  it("BR16 says what failed and what it did", () => {
    const text = ask([
      spawned("a"),
      { name: "spawn_bron", args: {}, response: { error: "cap_children: too many" } },
      over("a", {
        content: JSON.stringify({
          status: "failed",
          error: { code: "cap_time", message: "It was slow." },
        }),
      }),
    ])?.text;
    expect(text).toContain(
      "Unknown.\n\nWhat failed, and what I did: I went on without these parts.\n- what is on my calendar tomorrow?: It was slow.\n- how many unread mails I have: too many",
    );
  });

  it("BR21 names what is beyond three parts", () => {
    const many = "Find out, each by a Bron of its own: a; b; c; d; e";
    const over3 = ["a", "b", "c"].flatMap((id) => [spawned(id)]);
    const text = ask(
      [
        ...over3,
        ...["a", "b", "c"].map((id) =>
          over(id, { content: JSON.stringify({ status: "succeeded", summary: id }) }),
        ),
      ],
      declarations,
      many,
    )?.text;
    expect(text).toContain(
      "Not done, since at most 3 parts can be handed over: d; e. Ask for them by themselves.",
    );
  });

  it("is none without the words or the tools for it", () => {
    expect(ask([], [])).toBeUndefined();
    expect(ask([], declarations, "What is on my calendar tomorrow?")).toBeUndefined();
  });
});
