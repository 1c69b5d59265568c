import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { AppendRequest, Store, Tool } from "@bron/core";
import type { NewEvent } from "@bron/protocol";

/** Called at every named fault point. A crash test kills or freezes the process inside. */
export type Hit = (point: string) => void | Promise<void>;

async function around<T>(hit: Hit, name: string, work: () => PromiseLike<T>): Promise<T> {
  await hit(`${name}:before`);
  const result = await work();
  await hit(`${name}:after`);
  return result;
}

/** Adds fault points before and after every durable write of the loop. */
export function storeWithFaults(store: Store, hit: Hit): Store {
  return {
    ...store,
    log: {
      ...store.log,
      claim: (request) => around(hit, "claim", () => store.log.claim(request)),
      read: (lease, afterSeq) => around(hit, "read", () => store.log.read(lease, afterSeq)),
      append: (request) => around(hit, appendName(request), () => store.log.append(request)),
    },
    runs: {
      ...store.runs,
      create: (run) => around(hit, "create", () => store.runs.create(run)),
      requestCancel: (ownerId, runId, reason) =>
        around(hit, "cancel", () => store.runs.requestCancel(ownerId, runId, reason)),
    },
    approvals: {
      ...store.approvals,
      decide: (choice) => around(hit, "decide", () => store.approvals.decide(choice)),
      edit: (edit) => around(hit, "edit", () => store.approvals.edit(edit)),
    },
    askUses: {
      open: (task, readings) => store.askUses.open(task, readings),
      use: (task, use) => around(hit, "use asks", () => store.askUses.use(task, use)),
    },
    artifacts: {
      ...store.artifacts,
      put: (artifact) => around(hit, "artifact", () => store.artifacts.put(artifact)),
    },
  };
}

/** Names an append by the kinds of its events and whether it releases the lease. */
function appendName({ events, release }: AppendRequest): string {
  const kinds = [...new Set(events.map(kindOf))].filter(
    (kind) => kind !== "usage" && kind !== "ui" && kind !== "log" && kind !== "artifact",
  );
  return `append(${kinds.join("+")}${release ? `;${release}` : ""})`;
}

function kindOf(event: NewEvent): string {
  if (event.type === "step" || event.type === "tool" || event.type === "auxiliary_call")
    return `${event.type}.${event.payload.phase}`;
  if (event.type === "effect" || event.type === "approval")
    return `${event.type}.${event.payload.state}`;
  return event.type;
}

/** Adds fault points around the external calls of tools. */
export function toolWithFaults(tool: Tool, hit: Hit): Tool {
  const { reconcile, editing } = tool;
  return {
    ...tool,
    ...(editing
      ? {
          editing: {
            ...editing,
            edit: (prepared, changes, context) =>
              around(hit, `${tool.name}.edit`, () => editing.edit(prepared, changes, context)),
          },
        }
      : {}),
    prepare: (input, context) =>
      around(hit, `${tool.name}.prepare`, () => tool.prepare(input, context)),
    execute: (input, context) =>
      around(hit, `${tool.name}.execute`, () => tool.execute(input, context)),
    ...(reconcile
      ? {
          reconcile: (prepared, context) =>
            around(hit, `${tool.name}.reconcile`, () => reconcile(prepared, context)),
        }
      : {}),
  };
}

/** Adds fault points before the request, at the first piece of the response, and at its end. */
export function modelWithFaults(model: LanguageModelV4, hit: Hit): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      await hit("model:before");
      const result = await model.doStream(options);
      await hit("model:answering");
      const atEnd = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        flush: async () => await hit("model:after"),
      });
      return { ...result, stream: result.stream.pipeThrough(atEnd) };
    },
  };
}
