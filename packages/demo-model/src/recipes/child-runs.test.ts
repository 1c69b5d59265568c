import { describe, expect, it } from "vitest";
import type { ToolResult } from "../conversation.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { plan } from "./conversation.fixture.ts";

const declarations: readonly FunctionDeclaration[] = [
  {
    name: "spawn_bron",
    parametersJsonSchema: { type: "object", properties: { title: {}, prompt: {} } },
  },
  { name: "await_bron", parametersJsonSchema: { type: "object", properties: { runId: {} } } },
];
const task =
  "Find out, each with its own Bron: what is on my calendar tomorrow?; how many unread mails I have.";
const ask = (results: readonly ToolResult[], offered = declarations, words = task) =>
  plan({ task: words, results }, offered);
const spawned = (runId: string): ToolResult => ({
  name: "spawn_bron",
  args: {},
  response: { content: JSON.stringify({ runId, title: "x" }) },
});
const finished = (runId: string, response: ToolResult["response"]): ToolResult => ({
  name: "await_bron",
  args: { runId },
  response,
});

describe("a task with child runs", () => {
  it("BR16 starts the child runs, waits for them and combines their results", () => {
    expect(ask([]).calls?.map(({ args }) => args["prompt"])).toEqual([
      "What is on my calendar tomorrow?",
      "How many unread mails I have.",
    ]);
    expect(ask([spawned("a"), spawned("b")]).calls).toEqual([
      { name: "await_bron", args: { runId: "a" } },
      { name: "await_bron", args: { runId: "b" } },
    ]);
    const text = ask([
      spawned("a"),
      spawned("b"),
      finished("a", { content: JSON.stringify({ status: "succeeded", summary: "Nothing." }) }),
      finished("b", { content: JSON.stringify({ status: "succeeded", summary: "Four." }) }),
    ]).text;
    expect(text).toBe(
      "**what is on my calendar tomorrow?**\n\nNothing.\n\n**how many unread mails I have**\n\nFour.",
    );
  });

  it("BR16 names the subtasks that failed", () => {
    const text = ask([
      spawned("a"),
      { name: "spawn_bron", args: {}, response: { error: "cap_children: too many" } },
      finished("a", {
        content: JSON.stringify({
          status: "failed",
          error: { code: "cap_time", message: "It was slow." },
        }),
      }),
    ]).text;
    expect(text).toContain(
      "No result.\n\nThese subtasks failed, so I continued without them:\n- what is on my calendar tomorrow?: It was slow.\n- how many unread mails I have: too many",
    );
  });

  it("BR21 names the subtasks beyond the limit of three", () => {
    const many = "Find out, each with its own Bron: a; b; c; d; e";
    const started = ["a", "b", "c"].flatMap((id) => [spawned(id)]);
    const text = ask(
      [
        ...started,
        ...["a", "b", "c"].map((id) =>
          finished(id, { content: JSON.stringify({ status: "succeeded", summary: id }) }),
        ),
      ],
      declarations,
      many,
    ).text;
    expect(text).toContain(
      "I can run at most 3 subtasks at once, so I left out: d; e. Ask me for them separately.",
    );
  });

  it("BR16 turns a list of things to check into questions", () => {
    const words =
      "Prepare my week: check my calendar, my unread email and the decisions in #leadership at the same time.";
    expect(ask([], declarations, words).calls?.map(({ args }) => args)).toEqual([
      { title: "My calendar", prompt: "What is on my calendar in the next 7 days?" },
      { title: "My unread email", prompt: "How many unread emails did I get this week?" },
      {
        title: "The decisions in #leadership",
        prompt: "What was decided in #leadership in the last 14 days?",
      },
    ]);
  });

  it("says that it cannot start child runs without the tools", () => {
    expect(ask([], []).text).toContain("the tool spawn_bron isn't available");
  });
});
