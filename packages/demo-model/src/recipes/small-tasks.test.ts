import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestSimulator,
  runLoop,
  type TestSimulator,
  type ToolRun,
} from "./agent-loop.fixture.ts";
import { startDemoModel, type DemoModelServer } from "../server.ts";

let server: DemoModelServer;
beforeAll(async () => {
  server = await startDemoModel();
});
afterAll(() => server.close());

async function run(
  task: string,
  overrides: Readonly<Record<string, ToolRun>> = {},
  simulator: TestSimulator = createTestSimulator(overrides),
) {
  simulator.notes.set("Shopping", "bread");
  return { ...(await runLoop(task, { url: server.url, tools: simulator.tools })), simulator };
}

/** The calls of each turn as "name arg arg". */
async function calls(task: string): Promise<readonly (readonly string[])[]> {
  const { turns } = await run(task);
  return turns.map((turn) =>
    turn.map(({ name, args }) => [name, ...Object.values(args)].join(" ")),
  );
}

describe("arithmetic", () => {
  test.each([
    ["What is 12 * (3 + 4)?", "84"],
    ["what's 12*(3+4)", "84"],
    ["Calculate 12 times 7.", "84"],
    ["How much is 17% of 2,340?", "397.8"],
    ["work out 17 percent of 2340 please", "397.8"],
    ["Could you compute twelve divided by four?", "3"],
    ["what is the sum of 3, 4 and 5?", "12"],
    ["tell me the difference between 10 and 4 times 2", "2"],
    ["What's the average of 2, 4 and 9?", "5"],
    ["what is $45.50 plus 20%?", "54.6"],
    ["30% off 80", "56"],
    ["subtract 3 from 10", "7"],
    ["7 × 6 − 2 =", "40"],
    ["whats 7 x 6?", "42"],
    ["Calculate the tip: 20% of 85", "17"],
    ["Use the calculator to compute 12 * 7", "84"],
  ])("%s", async (task, result) => {
    const { text, turns } = await run(task);
    expect(turns.flat().map(({ name }) => name)).toEqual(["calculator"]);
    expect(text).toMatch(new RegExp(`= ${result.replace(".", "\\.")}$`));
  });

  test("reports the tool's result even if it is wrong", async () => {
    const { text } = await run("What is 6 * 7?", {
      calculator: () => ({ type: "text", value: "43" }),
    });
    expect(text).toBe("6 * 7 = 43");
  });

  test("continues with the result", async () => {
    expect(await calls("Multiply 12 by 12, then divide it by 2 and then subtract 2")).toEqual([
      ["calculator 12 * 12"],
      ["calculator 144 / 2"],
      ["calculator 72 - 2"],
    ]);
  });
});

describe("the clock", () => {
  test.each([
    ["what time is it in Tokyo", "Asia/Tokyo", "In Tokyo it is 18:30"],
    ["What's the time in tokyo right now?", "Asia/Tokyo", "In Tokyo it is 18:30"],
    [
      "tell me the current time in San Francisco",
      "America/Los_Angeles",
      "In San Francisco it is 01:30",
    ],
    [
      "Please tell me what time it is in Europe/Berlin.",
      "Europe/Berlin",
      "In Europe/Berlin it is 10:30",
    ],
    ["How late is it in Mumbai?", "Asia/Kolkata", "In Mumbai it is 15:00"],
  ])("%s", async (task, timezone, wanted) => {
    const { text, turns } = await run(task);
    expect(turns).toEqual([[{ name: "clock", args: { timezone } }]]);
    expect(text).toBe(wanted);
  });

  test.each(["What time is it?", "what's the time", "Tell me the time, please."])(
    "%s asks for no zone",
    async (task) => {
      expect((await run(task)).turns).toEqual([[{ name: "clock", args: {} }]]);
    },
  );

  test.each([
    "what time is it in Tokyo and in Paris?",
    "What's the time in Tokyo and Paris",
    "tell me the time in Tokyo, and in Paris",
  ])("%s asks for both at once", async (task) => {
    const { text, turns } = await run(task);
    expect(turns).toEqual([
      [
        { name: "clock", args: { timezone: "Asia/Tokyo" } },
        { name: "clock", args: { timezone: "Europe/Paris" } },
      ],
    ]);
    expect(text).toBe("In Tokyo it is 18:30\nIn Paris it is 10:30");
  });

  test("does not guess the zone of an unknown place", async () => {
    const { text, turns } = await run("What time is it in Atlantis?");
    expect(turns).toEqual([]);
    expect(text).toContain('I don\'t know the time zone of "Atlantis".');
  });
});

describe("notes and boards", () => {
  test.each([
    ["Write a note titled Shopping: milk, eggs", "Shopping", "milk, eggs"],
    ["create a note called Shopping with the text milk, eggs", "Shopping", "milk, eggs"],
    ['Save "milk, eggs" as a note named "Weekly shopping".', "Weekly shopping", "milk, eggs"],
    ["Make a note called Idea saying Use cats. They are nice.", "Idea", "Use cats. They are nice."],
    ["please put milk and eggs into a note called Food", "Food", "milk and eggs"],
    ["write a note titled Plan: call Bob; then call Eve", "Plan", "call Bob; then call Eve"],
    ["note down buy stamps", "buy stamps", "buy stamps"],
    ['Create a note "Food" with the content "milk"', "Food", "milk"],
    ["Write the note Food: milk", "Food", "milk"],
  ])("%s", async (task, title, text) => {
    const { simulator, turns } = await run(task);
    expect(turns).toHaveLength(1);
    expect(simulator.notes.get(title)).toBe(text);
  });

  test.each([
    "read my Shopping note",
    "Read the note called Shopping",
    "what does my Shopping note say?",
    "What's in my Shopping note?",
    "Can you remind me what's in the Shopping note?",
    "Tell me what my Shopping note says.",
    "show me the note Shopping",
  ])("%s", async (task) => {
    expect((await run(task)).text).toBe('Your note "Shopping" says: bread');
  });

  test.each([
    "which notes do I have",
    "List my notes.",
    "show me all my notes please",
    "What notes are there?",
  ])("%s", async (task) => {
    expect((await run(task)).text).toBe("You have one note: Shopping");
  });

  test.each([
    "post 'hello team' to the office board",
    'Post "hello team" on the office board.',
    "Please post hello team to the office notice board",
    "Post to the office board: hello team",
    "post a note saying hello team to the office board",
  ])("%s", async (task) => {
    const { simulator, text } = await run(task);
    expect(simulator.posts).toEqual(["office: hello team"]);
    expect(text).toBe('I posted "hello team" to the office board.');
  });
});

describe("several steps", () => {
  test.each([
    [
      "calculate 17% of 2,340 and save it as a note called Tax",
      ["Calculate 17% of 2,340:", "Save it as a note called Tax:"],
    ],
    [
      "What is 17% of 2,340? Then write the result into a note titled Tax.",
      ["What is 17% of 2,340:", "Write the result into a note titled Tax:"],
    ],
    ["Save the result of 17% of 2,340 in a note called Tax", []],
  ])("%s", async (task, [first, second]) => {
    const { simulator, text } = await run(task);
    expect(simulator.notes.get("Tax")).toBe("397.8");
    const results = ["17% of 2,340 = 397.8", 'I wrote the note "Tax": 397.8'];
    // Each part is answered under its own words.
    expect(text).toBe(
      first === undefined
        ? results.join("\n")
        : [first, results[0], "", second, results[1]].join("\n"),
    );
  });

  test("runs a numbered list in order", async () => {
    expect(
      await calls(
        "1. calculate 3 times 4\n2. save the result in a note called Twelve\n3. read my Twelve note\n4. list my notes",
      ),
    ).toEqual([
      ["calculator 3 * 4"],
      ["notes_write Twelve 12"],
      ["notes_read Twelve"],
      ["notes_list"],
    ]);
  });

  test("does the requests of one sentence in order", async () => {
    expect(
      await calls(
        "What is 2 + 2, what time is it in Rome, post 'a' to the office board; post 'b' to the office board; list my notes",
      ),
    ).toEqual([
      ["calculator 2 + 2"],
      ["clock Europe/Rome"],
      ["post_note office a"],
      ["post_note office b"],
      ["notes_list"],
    ]);
  });

  test("'both' refers to all results, and quoted commands are plain text", async () => {
    const { simulator } = await run(
      `What time is it in Tokyo and in Paris, save both in a note called Times, and then post "read my Tax note; then 2 + 2" to the team board.`,
    );
    expect(simulator.notes.get("Times")).toBe("Tokyo: 18:30; Paris: 10:30");
    expect(simulator.posts).toEqual(["team: read my Tax note; then 2 + 2"]);
  });

  test("'it' after a note refers to its text", async () => {
    const { simulator } = await run(
      "Write a note titled Greeting: good morning, and then post it to the office board",
    );
    expect(simulator.posts).toEqual(["office: good morning"]);
  });

  test("writes two notes from one sentence", async () => {
    expect(
      await calls(
        "Write a note titled A: 1 and a note titled B: 2, then read my A note and my B note",
      ),
    ).toEqual([["notes_write A 1"], ["notes_write B 2"], ["notes_read A"], ["notes_read B"]]);
  });

  test("a later task can refer to an earlier result without repeating a call", async () => {
    const simulator = createTestSimulator();
    const { prompt } = await run("What is 6 * 7?", {}, simulator);
    const { text, turns } = await runLoop("Save it as a note called Answer", {
      url: server.url,
      tools: simulator.tools,
      history: prompt,
    });
    expect(turns).toHaveLength(1);
    expect(text).toBe('I wrote the note "Answer": 42');
  });
});

describe("failures are reported and not retried", () => {
  test("an error", async () => {
    const { text, turns, simulator } = await run(
      "calculate 1 / 0 and save it as a note called Tax, then tell me the time in Rome",
      { calculator: () => ({ type: "error-text", value: "tool_failed: Division by zero" }) },
    );
    expect(turns.flat().map(({ name }) => name)).toEqual(["calculator", "clock"]);
    expect(simulator.notes.has("Tax")).toBe(false);
    expect(text).toBe(
      [
        "Calculate 1 / 0:\nI couldn't calculate 1 / 0: Division by zero.",
        'Save it as a note called Tax:\nI didn\'t write the note "Tax" because it needs the result of another step.',
        "Tell me the time in Rome:\nIn Rome it is 10:30",
      ].join("\n\n"),
    );
  });

  test.each([
    ["a denial", { type: "execution-denied", reason: "The user declined: not now" }],
    ["a denial without a reason", { type: "execution-denied", reason: "The user declined." }],
    [
      "an approval that ran out",
      {
        type: "execution-denied",
        reason: "The approval expired before it was decided. Nothing was done.",
      },
    ],
  ] as const)("%s", async (_, output) => {
    const { text, turns } = await run("post 'hello' to the office board", {
      post_note: () => output,
    });
    expect(turns).toHaveLength(1);
    expect(text).toMatch(/^You didn't approve it, so I didn't post to the office board/);
    expect(text).not.toContain("I posted");
  });

  test("a provider that rejects the request is not a denial by the user", async () => {
    const { text } = await run("post 'hello' to the office board", {
      post_note: () => ({
        type: "error-text",
        value: "tool_failed: The board rejected the request: quota exceeded",
      }),
    });
    expect(text).toMatch(/^I couldn't post to the office board: /);
    expect(text).not.toContain("You didn't approve");
  });

  test("a rule", async () => {
    const { text, turns } = await run("post 'hello' to the office board", {
      post_note: () => ({
        type: "execution-denied",
        reason: "Blocked by your rules: boards are closed",
      }),
    });
    expect(turns).toHaveLength(1);
    expect(text).toBe(
      "I couldn't post to the office board: Blocked by your rules: boards are closed.",
    );
  });

  test("an unknown outcome", async () => {
    const { text, turns } = await run("post 'hello' to the office board", {
      post_note: () => ({
        type: "error-text",
        value:
          "effect_unknown: It is unknown whether this happened. Do not do it again; tell the user to check.",
      }),
    });
    expect(turns).toHaveLength(1);
    expect(text).toMatch(
      /^I tried to post to the office board, but I couldn't confirm whether it went through: .+ Check before retrying\.$/,
    );
  });

  test("a note that mentions a denial is not a denial", async () => {
    const { text } = await run("read my Shopping note", {
      notes_read: () => ({ type: "text", value: "Visa denied" }),
    });
    expect(text).toBe('Your note "Shopping" says: Visa denied');
  });

  test("a missing note", async () => {
    expect((await run("read my Holiday note")).text).toBe(
      'I couldn\'t read the note "Holiday": There is no note "Holiday".',
    );
    const { text } = await run("read my Holiday note", {
      notes_read: () => ({ type: "error-text", value: "not_found: There are no notes yet." }),
    });
    expect(text).toBe('I couldn\'t read the note "Holiday": There are no notes yet.');
  });
});

describe("unsupported tasks", () => {
  test.each(["Book me a flight to Rome", "What is the weather in Paris?", "Summarise my inbox"])(
    "%s: does nothing, and says what it is",
    async (task) => {
      const { text, turns } = await run(task);
      expect(turns).toEqual([]);
      expect(text).toContain("in demo mode");
      expect(text).toContain("built-in demo model");
      expect(text).not.toMatch(/API_KEY/);
    },
  );

  test.each([
    "If it rains, post 'umbrella' to the office board",
    "If it rains then post 'umbrella' to the office board",
    "Post 'umbrella' to the office board if it rains",
    "When I am back, post 'umbrella' to the office board and list my notes",
    "Do not post 'umbrella' to the office board",
    "Please don't post 'umbrella' to the office board.",
    "Tomorrow, post 'umbrella' to the office board",
    "Ask me before you post 'umbrella' to the office board",
  ])("%s: does not ignore the condition", async (task) => {
    const { text, turns, simulator } = await run(task);
    expect(turns).toEqual([]);
    expect(simulator.posts).toEqual([]);
    expect(text).toContain("in demo mode");
  });

  test("does the supported steps and never substitutes an older result", async () => {
    const { text, simulator } = await run(
      "calculate 6*7; find me a good hotel; save it as a note called Hotel",
    );
    expect(simulator.notes.has("Hotel")).toBe(false);
    expect(text).toContain("6*7 = 42");
    expect(text).toContain("find me a good hotel");
  });

  test("does not call or imitate a tool that was not offered", async () => {
    const tools = createTestSimulator().tools.filter(
      ({ declaration }) => declaration.name === "clock",
    );
    const { text, turns } = await runLoop("What is 6 * 7?", { url: server.url, tools });
    expect(turns).toEqual([]);
    expect(text).toContain("I can't calculate 6 * 7 because the tool calculator isn't available.");
    expect(text).not.toContain("42");
  });

  test("does not call a known tool with other parameters", async () => {
    const [calculator] = createTestSimulator().tools;
    if (calculator === undefined) throw new Error("no calculator");
    const other = {
      ...calculator,
      declaration: {
        ...calculator.declaration,
        inputSchema: {
          type: "object" as const,
          properties: { formula: { type: "string" as const } },
        },
      },
    };
    expect((await runLoop("What is 6 * 7?", { url: server.url, tools: [other] })).turns).toEqual(
      [],
    );
  });

  test("answers a greeting with an introduction", async () => {
    expect((await run("Hello!")).text).toMatch(/^I'm the built-in demo model\. .+$/);
  });
});
