import { omitUndefined } from "@bron/protocol";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

export type ToolRun = (args: Record<string, string>) => LanguageModelV4ToolResultOutput;

export interface TestTool {
  readonly declaration: LanguageModelV4FunctionTool;
  readonly run: ToolRun;
}

interface LoopResult {
  readonly text: string;
  /** The calls of each turn. */
  readonly turns: readonly (readonly {
    readonly name: string;
    readonly args: Record<string, string>;
  }[])[];
  readonly prompt: LanguageModelV4Prompt;
}

interface LoopOptions {
  readonly url: string;
  readonly tools: readonly TestTool[];
  readonly model?: string;
  /** Earlier messages of the conversation. */
  readonly history?: LanguageModelV4Prompt;
}

/**
 * A minimal agent loop with the real provider and real tools. It keeps the metadata of every part.
 */
export async function runLoop(
  task: string,
  { url, tools, model = "gemini-demo", history = [] }: LoopOptions,
): Promise<LoopResult> {
  const languageModel = createGoogleGenerativeAI({ baseURL: url, apiKey: "demo" })(model);
  const prompt: LanguageModelV4Prompt = [
    ...history,
    { role: "user", content: [{ type: "text", text: task }] },
  ];
  const turns: LoopResult["turns"][number][] = [];
  for (let step = 0; step < 12; step += 1) {
    const { stream } = await languageModel.doStream({
      prompt,
      tools: tools.map(({ declaration }) => declaration),
    });
    const content = await collect(stream);
    prompt.push({ role: "assistant", content });
    const calls = content.filter((part) => part.type === "tool-call");
    if (calls.length === 0)
      return {
        text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
        turns,
        prompt,
      };
    turns.push(
      calls.map((call) => ({ name: call.toolName, args: call.input as Record<string, string> })),
    );
    prompt.push({
      role: "tool",
      content: calls.map((call) => ({
        type: "tool-result",
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        output: tools
          .find(({ declaration }) => declaration.name === call.toolName)
          ?.run(call.input as Record<string, string>) ?? {
          type: "error-text",
          value: "unknown tool",
        },
      })),
    });
  }
  throw new Error("The loop did not end.");
}

export async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<AssistantContent> {
  const content: AssistantContent = [];
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-start") content.push({ type: "text", text: "" });
    if (part.type === "reasoning-start") content.push({ type: "reasoning", text: "" });
    if (part.type === "text-delta" || part.type === "reasoning-delta") {
      const last = content.at(-1);
      if (last?.type === "text" || last?.type === "reasoning") {
        last.text += part.delta;
        if (part.providerMetadata !== undefined) last.providerOptions = part.providerMetadata;
      }
    }
    if (part.type === "tool-call") {
      const { toolCallId, toolName, input, providerMetadata } = part;
      content.push({
        type: "tool-call",
        toolCallId,
        toolName,
        input: JSON.parse(input),
        ...omitUndefined({ providerOptions: providerMetadata }),
      });
    }
  }
  return content;
}

function declare(
  name: string,
  required: readonly string[],
  optional: readonly string[] = [],
): LanguageModelV4FunctionTool {
  const properties = Object.fromEntries(
    [...required, ...optional].map((key) => [key, { type: "string" as const }]),
  );
  return {
    type: "function",
    name,
    description: name,
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties,
      required: [...required],
      additionalProperties: false,
    },
  };
}

const text = (value: string): LanguageModelV4ToolResultOutput => ({ type: "text", value });

export interface TestSimulator {
  readonly tools: readonly TestTool[];
  readonly notes: Map<string, string>;
  readonly posts: string[];
}

/** Working tools over a map, a list and a fixed clock. */
export function createTestSimulator(
  overrides: Readonly<Record<string, ToolRun>> = {},
): TestSimulator {
  const notes = new Map<string, string>();
  const posts: string[] = [];
  const now = new Date("2026-11-15T09:30:00Z");
  const entries: readonly (readonly [LanguageModelV4FunctionTool, ToolRun])[] = [
    [
      declare("calculator", ["expression"]),
      ({ expression = "" }) => ({
        type: "json",
        value: { expression, result: evaluate(expression) },
      }),
    ],
    [
      declare("clock", [], ["timezone"]),
      ({ timezone = "UTC" }) =>
        text(
          new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" }).format(now),
        ),
    ],
    [
      declare("notes_write", ["title", "text"]),
      ({ title = "", text: body = "" }) => (notes.set(title, body), text("saved")),
    ],
    [
      declare("notes_list", []),
      () => ({ type: "json", value: [...notes.keys()].map((title) => ({ title })) }),
    ],
    [
      declare("notes_read", ["title"]),
      ({ title = "" }) =>
        notes.has(title)
          ? text(notes.get(title) ?? "")
          : { type: "error-text", value: `not_found: There is no note "${title}".` },
    ],
    [
      declare("post_note", ["board", "text"]),
      ({ board = "", text: body = "" }) => (posts.push(`${board}: ${body}`), text("posted")),
    ],
  ];
  return {
    notes,
    posts,
    tools: entries.map(([declaration, run]) => ({
      declaration,
      run: overrides[declaration.name] ?? run,
    })),
  };
}

/** Evaluates sums, products and brackets, which is all that the tests need. */
function evaluate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? [];
  const atom = (): number => {
    const token = tokens.shift();
    if (token === "-") return -atom();
    if (token !== "(") return Number(token);
    const inner = sum();
    tokens.shift();
    return inner;
  };
  const product = (): number => {
    let value = atom();
    while (tokens[0] === "*" || tokens[0] === "/")
      value = tokens.shift() === "*" ? value * atom() : value / atom();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[0] === "+" || tokens[0] === "-")
      value = tokens.shift() === "+" ? value + product() : value - product();
    return value;
  };
  return Number(sum().toPrecision(12));
}
