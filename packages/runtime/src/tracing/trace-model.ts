import type { RunModel } from "@bron/core";
import { SpanKind, type Span } from "@opentelemetry/api";
import { endFailed } from "./end-failed.ts";
import { createMessageRecorder, inputContent, type StreamPart } from "./message-content.ts";
import type { SpanStarter } from "./span-starter.ts";

/** Provider names of the conventions, where they differ from ours. */
const providerNames: Readonly<Record<string, string>> = { gemini: "gcp.gemini" };

/** Records a span for each call, from the request to the end of the response. */
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
        const call = traceCall(span, withContent);
        const { abortSignal } = options;
        // The caller aborts the signal at the latest when it is done, so no span stays open.
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

function traceCall(
  span: Span,
  withContent: boolean,
): { readonly watch: TransformStream<StreamPart, StreamPart>; fail(error: unknown): void } {
  const answer = withContent ? createMessageRecorder() : undefined;
  let isFinished = false;
  const finish = (end: () => void) => {
    if (isFinished) return;
    isFinished = true;
    if (answer) span.setAttributes(answer.attributes());
    end();
  };
  const fail = (error: unknown) => finish(() => endFailed(span, error, withContent));
  const watch = new TransformStream<StreamPart, StreamPart>({
    transform(part, controller) {
      answer?.take(part);
      if (part.type === "response-metadata")
        setDefined(span, { "gen_ai.response.id": part.id, "gen_ai.response.model": part.modelId });
      if (part.type === "finish") {
        setDefined(span, {
          "gen_ai.usage.input_tokens": part.usage.inputTokens.total,
          "gen_ai.usage.cache_read.input_tokens": part.usage.inputTokens.cacheRead,
          "gen_ai.usage.output_tokens": part.usage.outputTokens.total,
        });
        span.setAttribute("gen_ai.response.finish_reasons", [part.finishReason.unified]);
      }
      if (part.type === "error") fail(part.error);
      controller.enqueue(part);
    },
    flush: () => finish(() => span.end()),
  });
  return { watch, fail };
}

function setDefined(
  span: Span,
  attributes: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) span.setAttribute(name, value);
}
