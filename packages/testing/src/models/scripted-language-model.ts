import { reportOutcomeName, type DeclaredOutcome } from "@bron/protocol";
import { readingPurpose } from "@bron/core";
import { readEverything } from "./read-everything.ts";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** One model message, in short form. */
export interface ScriptedMessage {
  readonly text?: string;
  /**
   * What a message without calls declares, if the run has the tool for it. The default is `done`.
   * Null: nothing.
   */
  readonly outcome?: DeclaredOutcome | null;
  readonly reasoning?: string;
  readonly calls?: readonly {
    readonly tool: string;
    readonly input: unknown;
    readonly id?: string;
  }[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly finish?: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";
}

interface ScriptedCall {
  /** Number of calls of this model before this one. */
  readonly index: number;
  /** Number of assistant messages in the request. */
  readonly turn: number;
  readonly options: LanguageModelV4CallOptions;
}

export type Script = (
  call: ScriptedCall,
) => ScriptedMessage | Promise<ScriptedMessage> | ReadableStream<LanguageModelV4StreamPart>;

/** Reads the owner's words. Gets the prompt of the auxiliary call, and returns its output. */
export type Reader = (prompt: string, options: LanguageModelV4CallOptions) => unknown;

/**
 * An in-process language model that a test scripts. Scripts should decide by `turn`, so that they
 * survive a crash.
 */
export function scriptedLanguageModel(
  script: Script,
  reader: Reader = readEverything,
): LanguageModelV4 & { readonly calls: LanguageModelV4CallOptions[] } {
  const calls: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    calls,
    doGenerate: () => Promise.reject(new TypeError("Only streams are used")),
    async doStream(options) {
      const prompt = promptOfReading(options);
      if (prompt !== undefined)
        return {
          stream: streamOf(streamParts({ text: JSON.stringify(await reader(prompt, options)) }, 0)),
        };
      const index = calls.push(options) - 1;
      const turn = options.prompt.filter((message) => message.role === "assistant").length;
      const scripted = await script({ index, turn, options });
      if (scripted instanceof ReadableStream) return { stream: scripted };
      const message = withReport(scripted, options);
      return { stream: streamOf(streamParts(message, turn)) };
    },
  };
}

/** The prompt of the auxiliary call that reads the owner's words. Undefined for other calls. */
function promptOfReading({ prompt }: LanguageModelV4CallOptions): string | undefined {
  const [system, words] = prompt;
  const isReading =
    system?.role === "system" && system.content.startsWith(`[AUXILIARY CALL ${readingPurpose}`);
  const [part] = isReading && words?.role === "user" ? words.content : [];
  return part?.type === "text" ? part.text : undefined;
}

/** Declares the outcome in the last message, as models are asked to. */
function withReport(
  message: ScriptedMessage,
  { tools = [] }: LanguageModelV4CallOptions,
): ScriptedMessage {
  const { text = "", calls = [], outcome = "done" } = message;
  const isOffered = tools.some(({ name }) => name === reportOutcomeName);
  if (!isOffered || outcome === null || calls.length > 0 || text === "") return message;
  return { ...message, calls: [{ tool: reportOutcomeName, input: { outcome } }] };
}

function* streamParts(
  message: ScriptedMessage,
  turn: number,
): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  if (message.reasoning !== undefined) {
    yield { type: "reasoning-start", id: "r" };
    yield { type: "reasoning-delta", id: "r", delta: message.reasoning };
    yield {
      type: "reasoning-end",
      id: "r",
      providerMetadata: { scripted: { signature: `signed:${message.reasoning}` } },
    };
  }
  if (message.text !== undefined) {
    yield { type: "text-start", id: "t" };
    for (const word of message.text.split(/(?<= )/))
      yield { type: "text-delta", id: "t", delta: word };
    yield { type: "text-end", id: "t" };
  }
  for (const [index, call] of (message.calls ?? []).entries()) {
    const input = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
    yield {
      type: "tool-call",
      toolCallId: call.id ?? `call-${turn}-${index}`,
      toolName: call.tool,
      input,
    };
  }
  const { input, output } = message.usage ?? { input: 100, output: 10 };
  yield {
    type: "finish",
    finishReason: {
      unified: message.finish ?? (message.calls?.length ? "tool-calls" : "stop"),
      raw: undefined,
    },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
  };
}

function streamOf(
  parts: Generator<LanguageModelV4StreamPart>,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      const { done, value } = parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}
