import { BronError, messageOf, type RunModel } from "@bron/core";

type Model = RunModel["model"];
type Part =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

interface OwnKey {
  readonly provider: string;
  readonly key: string;
  readonly hint: string;
}

/** A model that is asked with the owner's own key: if the provider refuses it, the run says so, and nothing that goes wrong repeats it. */
export function withOwnKey(runModel: RunModel, own: OwnKey): RunModel {
  const explained = async <T>(asking: PromiseLike<T>): Promise<T> => {
    try {
      return await asking;
    } catch (error) {
      throw explain(error, own);
    }
  };
  const { model } = runModel;
  const streamed = async (options: Parameters<Model["doStream"]>[0]) => {
    const answer = await explained(model.doStream(options));
    const told = new TransformStream<Part, Part>({
      transform: (part, controller) =>
        controller.enqueue(
          part.type === "error" ? { ...part, error: explain(part.error, own) } : part,
        ),
    });
    return { ...answer, stream: answer.stream.pipeThrough(told) };
  };
  return {
    ...runModel,
    model: sameModel(model, {
      doGenerate: (options) => explained(model.doGenerate(options)),
      doStream: streamed,
    }),
  };
}

/** In the place of one that could not be made: the run fails with words instead of failing to begin. */
export function unusableModel(
  instead: RunModel,
  { provider, hint }: Omit<OwnKey, "key">,
  why: unknown,
): RunModel {
  const refuse = () =>
    Promise.reject(
      new BronError(
        "model_refused",
        `Your ${provider} key that ends in ${hint} cannot be used: ${messageOf(why)}`,
        { cause: why },
      ),
    );
  return {
    ...instead,
    name: provider,
    model: sameModel(instead.model, { doGenerate: refuse, doStream: refuse }),
  };
}

function sameModel(
  { provider, modelId, supportedUrls }: Model,
  asked: Pick<Model, "doGenerate" | "doStream">,
): Model {
  return { specificationVersion: "v4", provider, modelId, supportedUrls, ...asked };
}

function explain(error: unknown, { provider, key, hint }: OwnKey): unknown {
  const said = messageOf(error).replaceAll(key, "…");
  const status = statusOf(error);
  if (isAboutKey(status, said))
    return new BronError(
      "model_refused",
      `${provider} refused your key that ends in ${hint}. Put in another one or remove it under Connections, then try again. It answered ${status}: ${said}`,
    );
  if (error instanceof Error) error.message = said;
  return error;
}

/** Gemini calls a wrong key a bad request. */
function isAboutKey(status: number | undefined, said: string): boolean {
  return status === 401 || status === 403 || (status === 400 && /api[ _-]?key/i.test(said));
}

export function statusOf(error: unknown): number | undefined {
  const status =
    typeof error === "object" && error !== null && "statusCode" in error
      ? error.statusCode
      : undefined;
  return typeof status === "number" ? status : undefined;
}
