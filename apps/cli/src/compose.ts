import { omitUndefined } from "@bron/protocol";
import type { RunModel } from "@bron/core";
import { documentFiles, documentTools, previewFile } from "@bron/documents";
import { createSkillReader } from "@bron/skills";
import { chooseModel, chooseModels, type ChosenModel, type ChosenModels } from "@bron/models";
import {
  createRuntime,
  homeMachineId,
  type PostgresRuntime,
  type PostgresRuntimeOptions,
} from "@bron/runtime";
import type { Config } from "./config.ts";
import type { CommandContext } from "./command-context.ts";
import type { Log } from "./log/log.ts";
import { createToolServers } from "@bron/mcp";
import { openLog } from "./log/open-log.ts";
import { noModel } from "./no-model.ts";
import { ownerId } from "./owner.ts";
import { openOutside } from "./outside.ts";
import { modelsOfKey, ownSettings } from "./own-model.ts";
import { allTools } from "@bron/tools";
import { version } from "./version.ts";
import { acceptDirectory, connectDemo } from "./sandbox/connect-demo.ts";
import type { SimulatorEntry } from "./sandbox/shared-simulator.ts";

export interface OpenRuntime {
  readonly runtime: PostgresRuntime;
  readonly modelName: string;
  readonly isDemo: boolean;
  /** Undefined unless accounts are simulated. */
  readonly simulator: SimulatorEntry | undefined;
  close(): Promise<void>;
}

export interface Opening {
  readonly work: NonNullable<PostgresRuntimeOptions["work"]>;
  /** For a worker that never calls a model. */
  readonly withoutModel?: boolean;
  /** Opens connectors and the web. Commands that only read the database do not need them. */
  readonly withOutside?: boolean;
  /** Opens a new log unless the command already has one. */
  readonly log?: Log;
  readonly onRuntimeEvent?: NonNullable<PostgresRuntimeOptions["onRuntimeEvent"]>;
}

/**
 * Creates the runtime of a command, with its model, its tools and its log. The caller closes it.
 */
export async function openRuntime(
  context: CommandContext,
  {
    work,
    withoutModel = work === "none",
    withOutside = work !== "none",
    log: existingLog,
    onRuntimeEvent,
  }: Opening,
): Promise<OpenRuntime> {
  const { config } = context;
  const cleanups: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  };
  try {
    const log = existingLog ?? (await openLog(context));
    if (config.traces && work !== "none")
      cleanups.push((await import("./traces.ts")).startTraces(config.traces.endpoint).close);
    const chosen = withoutModel ? undefined : await connectModel(config);
    if (chosen) cleanups.push(chosen.close);
    const outside = withOutside
      ? await openOutside(config, { isDemo: chosen?.isDemo ?? describeModels(config).main.demo })
      : undefined;
    const simulator = outside?.simulator;
    if (simulator) cleanups.push(simulator.close);
    const runtime = await createRuntime({
      home: config.home,
      ...omitUndefined({
        databaseUrl: config.databaseUrl,
        secretKey: config.secretKey,
        onlyRecipients: config.onlyRecipients,
        s3: config.s3,
        pageWatcher: outside?.pageWatcher,
      }),
      ...(chosen?.models ?? describedModels(config) ?? { model: noModel }),
      modelFromKey(own) {
        const model = toRunModel(chooseModel(ownSettings(config.model, own)));
        return own.provider === "local" ? { ...model, name: `local/${own.model}` } : model;
      },
      modelsOfKey: modelsOfKey(config.model),
      tools: toolsOf(context, outside),
      connectors: outside?.connectors ?? [],
      toolServers: await toolServersOf(context, simulator),
      sideEffects: config.sideEffects,
      undoMs: config.undoMs,
      caps: config.caps,
      files: documentFiles,
      previewFile,
      skills: createSkillReader({ home: config.home }),
      limits: config.limits,
      uploadQuota: config.uploadQuota,
      work,
      // Without a model, a worker only ends runs, which needs no place.
      places: withoutModel ? [] : [{ machine: await homeMachineId(config.home) }],
      traceContent: config.traces?.withContent ?? false,
      onProgress: log.progress,
      onProblem: log.problem,
      onRuntimeEvent(runtimeEvent) {
        log.runtimeEvent(runtimeEvent);
        onRuntimeEvent?.(runtimeEvent);
      },
    });
    cleanups.push(runtime.close);
    if (simulator) await prepareSandbox(runtime, config, log);
    return {
      runtime,
      modelName: chosen?.models.model.name ?? noModel.name,
      isDemo: chosen?.isDemo ?? false,
      simulator,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connects the simulated accounts. The start does not wait for the team directory. */
async function prepareSandbox(
  runtime: PostgresRuntime,
  config: CommandContext["config"],
  { problem }: Pick<Awaited<ReturnType<typeof openLog>>, "problem">,
): Promise<void> {
  await connectDemo(runtime, config);
  void acceptDirectory(runtime, config).catch((error: unknown) =>
    problem("The team directory of the sandbox could not be prepared", error),
  );
}

function toolsOf(
  { config, terminal }: CommandContext,
  outside: Awaited<ReturnType<typeof openOutside>> | undefined,
) {
  const own = allTools(config.home, () => terminal.now());
  return [...own, ...documentTools(), ...(outside?.tools ?? [])];
}

async function toolServersOf(
  { config: { home }, readVariable = () => undefined }: CommandContext,
  simulator: SimulatorEntry | undefined,
) {
  const samples = simulator ? { directory: new URL("/mcp", simulator.url).href } : {};
  const machine = await homeMachineId(home);
  return createToolServers({ home, ownerId, machine, version, readVariable, samples });
}

/** Opens a runtime for `use` and closes it afterwards. */
export async function withRuntime<T>(
  context: CommandContext,
  opening: Opening,
  use: (open: OpenRuntime) => Promise<T>,
): Promise<T> {
  const open = await openRuntime(context, opening);
  try {
    return await use(open);
  } finally {
    await open.close();
  }
}

/** Never called: choosing a model only needs to know that a demo model is available. */
const placeholderUrl = "http://127.0.0.1:1";

/** Throws if a model is not configured well. */
export function describeModels(config: Config): ChosenModels {
  return chooseModels({ ...config.model, demoBaseUrl: placeholderUrl });
}

/** For a process that knows the names of the models and never calls one. */
function describedModels(config: Config): RuntimeModels | undefined {
  try {
    return toRuntimeModels(describeModels(config));
  } catch {
    return undefined;
  }
}

async function connectModel(
  config: Config,
): Promise<{ models: RuntimeModels; isDemo: boolean; close(): Promise<void> }> {
  const chosen = describeModels(config);
  const { main, light, lastResort, others } = chosen;
  const needsDemo = [main, light, lastResort, ...others].some((model) => model?.demo === true);
  if (!needsDemo)
    return { models: toRuntimeModels(chosen), isDemo: false, close: async () => undefined };
  // Loaded only here, so that a Bron with a model key never loads the demo model.
  const { startDemoModel } = await import("@bron/demo-model");
  const server = await startDemoModel();
  return {
    models: toRuntimeModels(chooseModels({ ...config.model, demoBaseUrl: server.url })),
    isDemo: main.demo,
    close: server.close,
  };
}

type RuntimeModels = Pick<
  PostgresRuntimeOptions,
  "model" | "lightModel" | "lastResortModel" | "otherModels"
>;

function toRuntimeModels({ main, light, lastResort, others }: ChosenModels): RuntimeModels {
  return {
    model: toRunModel(main),
    ...(light ? { lightModel: toRunModel(light) } : {}),
    ...(lastResort ? { lastResortModel: toRunModel(lastResort) } : {}),
    otherModels: others.map(toRunModel),
  };
}

function toRunModel({
  model,
  maxOutputTokens,
  price,
  contextTokens,
  accepts,
  ...chosen
}: ChosenModel): RunModel {
  return {
    model,
    name: modelNameOf(chosen),
    maxOutputTokens,
    accepts,
    ...omitUndefined({ price, contextTokens }),
  };
}

export function modelNameOf({ provider, modelId }: Pick<ChosenModel, "provider" | "modelId">) {
  return `${provider}/${modelId}`;
}
