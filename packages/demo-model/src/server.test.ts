import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { collect, createTestSimulator, runLoop } from "./recipes/agent-loop.fixture.ts";
import type { Script } from "./script.ts";
import { startDemoModel, type DemoModelOptions, type DemoModelServer } from "./server.ts";

const prompt: LanguageModelV4Prompt = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "What is 6 * 7?" }] },
];
const tools = createTestSimulator().tools.map(({ declaration }) => declaration);

async function withServer<Result>(
  options: DemoModelOptions,
  use: (server: DemoModelServer) => Promise<Result>,
): Promise<Result> {
  const server = await startDemoModel(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const model = (server: DemoModelServer, id = "gemini-demo") =>
  createGoogleGenerativeAI({ baseURL: server.url, apiKey: "demo" })(id);

async function read(
  server: DemoModelServer,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model(server).doStream({ prompt, tools, ...options });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

async function post(
  server: DemoModelServer,
  path: string,
  body: unknown,
  headers: Record<string, string> = { "x-goog-api-key": "demo" },
) {
  const response = await fetch(new URL(path, server.url), {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as { error?: { code: number; message: string; status: string } },
  };
}

const hello = { contents: [{ role: "user", parts: [{ text: "What is 6 * 7?" }] }] };
const generate = "/v1beta/models/gemini-demo:generateContent";

describe("the wire", () => {
  test("streams thoughts first, then text in several chunks, then the end", async () => {
    await withServer({}, async (server) => {
      const response = await fetch(
        `${server.url}/models/gemini-demo:streamGenerateContent?alt=sse`,
        {
          method: "POST",
          headers: { "x-goog-api-key": "k" },
          body: JSON.stringify({
            contents: [{ role: "user", parts: [{ text: "Book me a flight" }] }],
          }),
        },
      );
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const events = (await response.text())
        .split("\r\n\r\n")
        .filter((event) => event !== "")
        .map((event) => JSON.parse(event.replace(/^data: /, "")));
      const parts = events.map((event) => event.candidates[0].content.parts[0]);
      const firstText = parts.findIndex((part) => part.thought !== true);
      expect(firstText).toBeGreaterThan(0);
      expect(parts.slice(firstText).length).toBeGreaterThan(3);
      expect(parts.slice(firstText).some((part) => part.thought === true)).toBe(false);
      expect(events.map((event) => event.candidates[0].finishReason)).toEqual([
        ...events.slice(1).map(() => undefined),
        "STOP",
      ]);
      const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } =
        events.at(-1).usageMetadata;
      expect(Math.min(promptTokenCount, candidatesTokenCount, thoughtsTokenCount)).toBeGreaterThan(
        0,
      );
      expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount);
    });
  });

  test("a call ends with STOP, and carries its signature through the provider", async () => {
    await withServer({}, async (server) => {
      const parts = await read(server);
      const call = parts.find((part) => part.type === "tool-call");
      expect(call).toMatchObject({
        toolName: "calculator",
        input: '{"expression":"6 * 7"}',
        providerMetadata: { google: { thoughtSignature: expect.any(String) } },
      });
      expect(parts.at(-1)).toMatchObject({
        type: "finish",
        finishReason: { unified: "tool-calls", raw: "STOP" },
      });
    });
  });

  test("generateContent returns the same message in one piece", async () => {
    await withServer({}, async (server) => {
      const { content, finishReason } = await model(server).doGenerate({ prompt, tools });
      expect(content.map(({ type }) => type)).toEqual(["reasoning", "tool-call"]);
      expect(finishReason.unified).toBe("tool-calls");
    });
  });

  test("omits thoughts when the client disables them", async () => {
    await withServer({}, async (server) => {
      const parts = await read(server, {
        providerOptions: { google: { thinkingConfig: { includeThoughts: false } } },
      });
      expect(parts.some(({ type }) => type.startsWith("reasoning"))).toBe(false);
    });
  });

  test("truncates a message at maxOutputTokens and reports it", async () => {
    await withServer({ script: () => ({ text: "word ".repeat(50) }) }, async (server) => {
      const parts = await read(server, { maxOutputTokens: 10 });
      expect(parts.at(-1)).toMatchObject({
        finishReason: { unified: "length", raw: "MAX_TOKENS" },
      });
    });
  });

  test("makes no calls when tools are forbidden and names the remaining steps", async () => {
    await withServer({}, async (server) => {
      const content = await collect(
        (await model(server).doStream({ prompt, tools, toolChoice: { type: "none" } })).stream,
      );
      expect(content.at(-1)).toMatchObject({
        type: "text",
        text: "I didn't get to: calculate 6 * 7.",
      });
    });
  });
});

describe("refusals", () => {
  test.each([
    ["no key", generate, hello, {}, 403, "PERMISSION_DENIED"],
    [
      "an unknown path",
      "/v1/models/gemini-demo:generateContent",
      hello,
      undefined,
      404,
      "NOT_FOUND",
    ],
    [
      "an unknown method",
      "/v1beta/models/gemini-demo:embedContent",
      hello,
      undefined,
      404,
      "NOT_FOUND",
    ],
    [
      "an unknown model",
      "/v1beta/models/claude-sonnet-5:generateContent",
      hello,
      undefined,
      404,
      "NOT_FOUND",
    ],
    ["a body that is no JSON", generate, "{", undefined, 400, "INVALID_ARGUMENT"],
    ["no contents", generate, {}, undefined, 400, "INVALID_ARGUMENT"],
    [
      "JSON wanted from the recipes",
      generate,
      { ...hello, generationConfig: { responseMimeType: "application/json" } },
      undefined,
      400,
      "INVALID_ARGUMENT",
    ],
  ] as const)("%s", async (_, path, body, headers, code, status) => {
    await withServer({}, async (server) => {
      const refusal = await post(server, path, body, headers);
      expect(refusal).toMatchObject({ status: code, body: { error: { code, status } } });
    });
  });

  test("reach the provider's caller as a non-retryable error", async () => {
    await withServer({}, async (server) => {
      const dangling: LanguageModelV4Prompt = [
        ...prompt,
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "x", toolName: "clock", input: {} }],
        },
      ];
      await expect(read(server, { prompt: dangling })).rejects.toMatchObject({
        statusCode: 400,
        isRetryable: false,
        message: expect.stringContaining("number of function response parts"),
      });
    });
  });

  test.each(["gemini-demo", "gemini-3.8-flash", "gemini-2.5-flash"])(
    "a loop that drops provider metadata is refused (%s)",
    async (id) => {
      await withServer({}, async (server) => {
        const content = await collect((await model(server, id).doStream({ prompt, tools })).stream);
        for (const part of content) delete part.providerOptions;
        const [call] = content.filter((part) => part.type === "tool-call");
        const next: LanguageModelV4Prompt = [
          ...prompt,
          { role: "assistant", content },
          {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: call?.toolCallId ?? "",
                toolName: "calculator",
                output: { type: "text", value: "42" },
              },
            ],
          },
        ];
        await expect(model(server, id).doStream({ prompt: next, tools })).rejects.toMatchObject({
          statusCode: 400,
          message: expect.stringContaining("missing a thought_signature"),
        });
      });
    },
  );
});

describe("statelessness", () => {
  test("another server can continue a conversation", async () => {
    const { tools: real } = createTestSimulator();
    const first = await withServer({}, (server) =>
      runLoop("calculate 6*7 and save it as a note called A", { url: server.url, tools: real }),
    );
    const second = await withServer({}, (server) =>
      runLoop("read my A note", { url: server.url, tools: real, history: first.prompt }),
    );
    expect(second.text).toBe('Your note "A" says: 42');
  });

  test("accepts the legacy shape of tool results of models before Gemini 3", async () => {
    const { tools: real } = createTestSimulator();
    const { text } = await withServer({}, (server) =>
      runLoop("What is 6 * 7?", { url: server.url, tools: real, model: "gemini-2.5-flash" }),
    );
    expect(text).toBe("6 * 7 = 42");
  });
});

describe("scripts", () => {
  const withScript = (script: Script, use: (server: DemoModelServer) => Promise<void>) =>
    withServer({ script }, use);
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  };

  test("receive the request and may delegate to the recipes", async () => {
    const seen: unknown[] = [];
    await withScript(
      ({ model: id, system, task, turn, results, declarations }) => {
        seen.push([id, system, task, turn, results, declarations.length]);
        return "plan";
      },
      async (server) => {
        await runLoop("What is 6 * 7?", {
          url: server.url,
          tools: createTestSimulator().tools,
          history: [{ role: "system", content: "Be brief." }],
        });
      },
    );
    const response = { name: "calculator", content: { expression: "6 * 7", result: 42 } };
    expect(seen).toEqual([
      ["gemini-demo", "Be brief.", "What is 6 * 7?", 0, [], 6],
      [
        "gemini-demo",
        "Be brief.",
        "What is 6 * 7?",
        1,
        [{ name: "calculator", args: { expression: "6 * 7" }, response }],
        6,
      ],
    ]);
  });

  test("control text, thoughts, calls and usage", async () => {
    await withScript(
      () => ({
        thought: "Hm.",
        text: "Both.",
        calls: [
          { name: "clock", args: {} },
          { name: "notes_list", args: {} },
        ],
        usage: { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: 1 },
      }),
      async (server) => {
        const parts = await read(server);
        expect(parts.filter(({ type }) => type === "tool-call")).toHaveLength(2);
        expect(parts.at(-1)).toMatchObject({
          usage: { inputTokens: { total: 7 }, outputTokens: { total: 4, text: 3, reasoning: 1 } },
        });
      },
    );
  });

  test.each([429, 500, 503])("fail with %i", async (status) => {
    await withScript(
      () => ({ status, retryAfter: 3 }),
      async (server) => {
        await expect(read(server)).rejects.toMatchObject({
          statusCode: status,
          isRetryable: true,
          responseHeaders: { "retry-after": "3" },
        });
      },
    );
  });

  test("can fail with a custom body", async () => {
    await withScript(
      () => ({
        status: 400,
        body: { error: { code: 400, message: "Blocked.", status: "FAILED_PRECONDITION" } },
      }),
      async (server) =>
        expect(read(server)).rejects.toMatchObject({
          statusCode: 400,
          isRetryable: false,
          message: "Blocked.",
        }),
    );
  });

  test.each(["before", "middle"] as const)(
    "hang %s the message until the client leaves",
    async (hang) => {
      let asked = 0;
      await withScript(
        () => ((asked += 1), { hang }),
        async (server) => {
          const leaving = new AbortController();
          const reading = read(server, { abortSignal: leaving.signal });
          await until(() => asked === 1);
          leaving.abort(new DOMException("enough", "AbortError"));
          await expect(reading).rejects.toMatchObject({ name: "AbortError" });
        },
      );
    },
  );

  test("hanging responses do not block close", async () => {
    let asked = 0;
    const server = await startDemoModel({ script: () => ((asked += 1), { hang: "before" }) });
    const reading = read(server).catch((error: unknown) => error);
    await until(() => asked === 1);
    await server.close();
    expect(await reading).toMatchObject({ isRetryable: true });
  });

  test("cut the connection in the middle", async () => {
    await withScript(
      () => ({ cut: "middle" }),
      async (server) => {
        await expect(read(server)).rejects.toMatchObject({
          name: "AI_APICallError",
          isRetryable: true,
        });
      },
    );
  });

  test("can send invalid JSON", async () => {
    await withScript(
      () => ({ nonsense: "json" }),
      async (server) => {
        const parts = await read(server);
        expect(parts.find(({ type }) => type === "error")).toMatchObject({
          error: { name: "AI_JSONParseError" },
        });
        expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "error" } });
      },
    );
  });

  test("can send an empty candidate", async () => {
    await withScript(
      () => ({ nonsense: "empty" }),
      async (server) =>
        expect((await read(server)).map(({ type }) => type)).toEqual(["stream-start", "finish"]),
    );
  });

  test("can send arguments that are not an object", async () => {
    await withScript(
      () => ({ nonsense: "badArguments" }),
      async (server) =>
        expect((await read(server)).find(({ type }) => type === "tool-call")).toMatchObject({
          toolName: "calculator",
          input: "six times seven",
        }),
    );
  });

  test("can stream endlessly", async () => {
    await withScript(
      () => ({ endless: true }),
      async (server) => {
        const { stream } = await model(server).doStream({ prompt });
        let length = 0;
        for await (const part of stream) {
          if (part.type === "text-delta") length += part.delta.length;
          if (length > 5_000) break;
        }
        expect(length).toBeGreaterThan(5_000);
      },
    );
  });

  test("that throw cause a 500 with their message", async () => {
    await withScript(
      () => {
        throw new Error("no such line");
      },
      async (server) =>
        expect(read(server)).rejects.toMatchObject({
          statusCode: 500,
          message: "The demo model failed: no such line",
        }),
    );
  });

  test("receive only valid requests", async () => {
    let asked = 0;
    await withScript(
      () => ((asked += 1), "plan"),
      async (server) => {
        await post(server, generate, { contents: [] });
        expect(asked).toBe(0);
      },
    );
  });
});
