import { BronError, messageOf, type RunModel } from "@bron/core";
import { localServerNames, modelProviderNames, type ModelKeyProvider } from "@bron/protocol";

type Model = RunModel["model"];
type Part =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

interface OwnKey {
  readonly provider: ModelKeyProvider;
  readonly key: string;
  /** The last characters of the key, which messages may show. */
  readonly hint: string;
}

/**
 * Wraps a model that uses the owner's own key. If the provider rejects the key, the error says so.
 * No error message contains the key.
 */
export function withOwnKey(runModel: RunModel, own: OwnKey): RunModel {
  const withExplanation = async <T>(call: PromiseLike<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      throw explain(error, own);
    }
  };
  const { model } = runModel;
  const doStream = async (options: Parameters<Model["doStream"]>[0]) => {
    const result = await withExplanation(model.doStream(options));
    const explainedParts = new TransformStream<Part, Part>({
      transform: (part, controller) =>
        controller.enqueue(
          part.type === "error" ? { ...part, error: explain(part.error, own) } : part,
        ),
    });
    return { ...result, stream: result.stream.pipeThrough(explainedParts) };
  };
  return {
    ...runModel,
    model: withCalls(model, {
      doGenerate: (options) => withExplanation(model.doGenerate(options)),
      doStream,
    }),
  };
}

/**
 * Replaces a model that could not be created. The run then fails with a message instead of failing
 * to start.
 */
export function unusableModel(
  fallback: RunModel,
  { provider, hint }: Omit<OwnKey, "key">,
  cause: unknown,
): RunModel {
  const reject = () =>
    Promise.reject(
      new BronError(
        "model_refused",
        `${ownName(provider, hint)} can't be used: ${messageOf(cause)}`,
        { cause },
      ),
    );
  return {
    ...fallback,
    name: provider,
    model: withCalls(fallback.model, { doGenerate: reject, doStream: reject }),
  };
}

function withCalls(
  { provider, modelId, supportedUrls }: Model,
  calls: Pick<Model, "doGenerate" | "doStream">,
): Model {
  return { specificationVersion: "v4", provider, modelId, supportedUrls, ...calls };
}

/** "Your OpenAI key ending in wxyz", or "Ollama". */
function ownName(provider: ModelKeyProvider, hint: string): string {
  if (provider === "local")
    return Object.entries(localServerNames).find(([id]) => id === hint)?.[1] ?? "Your local model";
  return `Your ${modelProviderNames[provider]} key ending in ${hint}`;
}

function explain(error: unknown, { provider, key, hint }: OwnKey): unknown {
  // A local server has an address instead of a key, which may be shown.
  if (provider === "local") return error;
  const message = messageOf(error).replaceAll(key, "…");
  const status = statusOf(error);
  const name = modelProviderNames[provider];
  if (isAboutKey(status, message))
    return new BronError(
      "model_refused",
      `${name} rejected your key ending in ${hint} (${status}). Replace or remove it under Connections, then try again. ${name} said: ${message}`,
    );
  if (error instanceof Error) error.message = message;
  return error;
}

/** Gemini responds to an invalid key with status 400. */
function isAboutKey(status: number | undefined, message: string): boolean {
  return status === 401 || status === 403 || (status === 400 && /api[ _-]?key/i.test(message));
}

export function statusOf(error: unknown): number | undefined {
  const status =
    typeof error === "object" && error !== null && "statusCode" in error
      ? error.statusCode
      : undefined;
  return typeof status === "number" ? status : undefined;
}
