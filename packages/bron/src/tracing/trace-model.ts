import type { RunModel } from "@bron/core";
import { SpanKind, type Span } from "@opentelemetry/api";
import { endFailed } from "./end-failed.ts";
import { createAnswerRecorder, inputContent, type StreamPart } from "./message-content.ts";
import type { SpanStarter } from "./span-starter.ts";

/** As the conventions name them, where they differ from ours. */
const providerNames: Readonly<Record<string, string>> = { gemini: "gcp.gemini" };

/** A span for each call, from the request to the end of the answer. */
export function traceModel(
  runModel: RunModel,
  { start, within, withContent }: SpanStarter,
): RunModel {
  const { model, name, maxOutputTokens } = runModel;
  const [provider = ""] = name.split("/", 1);
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providerNames[provider] ?? provider,
    "gen_ai.request.model": model.modelId,
    "gen_ai.request.max_tokens": maxOutputTokens,
    "gen_ai.output.type": "text",
  };
  return {
    ...runModel,
    model: {
      specificationVersion: "v4",
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: (options) => model.doGenerate(options),
      async doStream(options) {
        const span = start(`chat ${model.modelId}`, SpanKind.CLIENT, attributes);
        if (!span.isRecording()) return await model.doStream(options);
        if (withContent) span.setAttributes(inputContent(options.prompt));
        const call = watchCall(span, withContent);
        const { abortSignal } = options;
        // Aborted at the latest when the caller is done with it, however it ended: no span stays open.
        abortSignal?.addEventListener("abort", () => call.fail(abortSignal.reason), { once: true });
        try {
          const result = await within(span, () => model.doStream(options));
          return { ...result, stream: result.stream.pipeThrough(call.watch) };
        } catch (error) {
          call.fail(error);
          throw error;
        }
      },
    },
  };
}

function watchCall(
  span: Span,
  withContent: boolean,
): { readonly watch: TransformStream<StreamPart, StreamPart>; fail(error: unknown): void } {
  const answer = withContent ? createAnswerRecorder() : undefined;
  let isOver = false;
  const over = (end: () => void) => {
    if (isOver) return;
    isOver = true;
    if (answer) span.setAttributes(answer.attributes());
    end();
  };
  const fail = (error: unknown) => over(() => endFailed(span, error, withContent));
  const watch = new TransformStream<StreamPart, StreamPart>({
    transform(part, controller) {
      answer?.take(part);
      if (part.type === "response-metadata")
        setGiven(span, { "gen_ai.response.id": part.id, "gen_ai.response.model": part.modelId });
      if (part.type === "finish") {
        setGiven(span, {
          "gen_ai.usage.input_tokens": part.usage.inputTokens.total,
          "gen_ai.usage.output_tokens": part.usage.outputTokens.total,
        });
        span.setAttribute("gen_ai.response.finish_reasons", [part.finishReason.unified]);
      }
      if (part.type === "error") fail(part.error);
      controller.enqueue(part);
    },
    flush: () => over(() => span.end()),
  });
  return { watch, fail };
}

function setGiven(
  span: Span,
  attributes: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) span.setAttribute(name, value);
}
