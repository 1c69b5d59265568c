import { omitUndefined } from "@bron/protocol";
import type { RunModel } from "@bron/core";
import { documentFiles, documentTools } from "@bron/documents";
import { chooseModel, type ChosenModel } from "@bron/models";
import { createBron, type Bron, type BronOptions } from "bron";
import type { Config } from "./config.ts";
import type { Door } from "./door.ts";
import type { Log } from "./log/log.ts";
import { openLog } from "./log/open-log.ts";
import { noModel } from "./no-model.ts";
import { openOutside } from "./outside.ts";
import { ownSettings } from "./own-model.ts";
import { allTools } from "./tools/all-tools.ts";
import { connectDemo } from "./world/connect-demo.ts";
import type { WorldEntry } from "./world/shared-world.ts";

export interface OpenBron {
  readonly bron: Bron;
  readonly modelName: string;
  readonly isDemo: boolean;
  /** The simulated outside, unless an app at Google is configured. */
  readonly world: WorldEntry | undefined;
  close(): Promise<void>;
}

export interface Opening {
  readonly work: NonNullable<BronOptions["work"]>;
  /** For a worker that never gets as far as asking one. */
  readonly withoutModel?: boolean;
  /** Accounts and the web can be reached; whoever only looks at the database needs none of it. */
  readonly withOutside?: boolean;
  /** Its own, unless the command has one already. */
  readonly log?: Log;
  readonly onDeed?: NonNullable<BronOptions["onDeed"]>;
}

/** Bron as this command has it: its model, its tools, its words on standard error. */
export async function openBron(
  door: Door,
  {
    work,
    withoutModel = work === "none",
    withOutside = work !== "none",
    log: given,
    onDeed,
  }: Opening,
): Promise<OpenBron> {
  const { terminal, config } = door;
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const log = given ?? (await openLog(door));
    if (config.traces && work !== "none")
      undo.push((await import("./traces.ts")).startTraces(config.traces.endpoint).close);
    const chosen = withoutModel ? undefined : await connectModel(config);
    if (chosen) undo.push(chosen.close);
    const outside = withOutside
      ? await openOutside(config, { isDemo: chosen?.isDemo ?? describeModel(config).demo })
      : undefined;
    const world = outside?.world;
    if (world) undo.push(world.close);
    const bron = await createBron({
      home: config.home,
      ...omitUndefined({ databaseUrl: config.databaseUrl, secretKey: config.secretKey }),
      model: chosen?.runModel ?? noModel,
      modelOf: (own) => toRunModel(chooseModel(ownSettings(config.model, own))),
      tools: [
        ...allTools(config.home, () => terminal.now()),
        ...documentTools(),
        ...(outside?.tools ?? []),
      ],
      connectors: outside?.connectors ?? [],
      sideEffects: config.sideEffects,
      undoMs: config.undoMs,
      caps: config.caps,
      files: documentFiles,
      ...omitUndefined({ s3: config.s3 }),
      limits: config.limits,
      uploadQuota: config.uploadQuota,
      work,
      traceContent: config.traces?.withContent ?? false,
      onProgress: log.progress,
      onProblem: log.problem,
      onDeed(deed) {
        log.deed(deed);
        onDeed?.(deed);
      },
    });
    undo.push(bron.close);
    if (world) await connectDemo(bron, config);
    return {
      bron,
      modelName: chosen?.runModel.name ?? noModel.name,
      isDemo: chosen?.isDemo ?? false,
      world,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens, works, closes. */
export async function withBron<T>(
  door: Door,
  opening: Opening,
  use: (open: OpenBron) => Promise<T>,
): Promise<T> {
  const open = await openBron(door, opening);
  try {
    return await use(open);
  } finally {
    await open.close();
  }
}

/** Any address will do to find out whether the demo is meant. */
const someAddress = "http://127.0.0.1:1";

export function describeModel(config: Config): ChosenModel {
  return chooseModel({ ...config.model, demoBaseUrl: someAddress });
}

async function connectModel(
  config: Config,
): Promise<{ runModel: RunModel; isDemo: boolean; close(): Promise<void> }> {
  const chosen = describeModel(config);
  if (!chosen.demo)
    return { runModel: toRunModel(chosen), isDemo: false, close: async () => undefined };
  // Whoever has a key never loads it.
  const { startScriptedModel } = await import("@bron/world");
  const server = await startScriptedModel({ keepRequests: 0 });
  return {
    runModel: toRunModel(chooseModel({ ...config.model, demoBaseUrl: server.url })),
    isDemo: true,
    close: server.close,
  };
}

function toRunModel({ model, provider, modelId, maxOutputTokens, price }: ChosenModel): RunModel {
  return { model, name: `${provider}/${modelId}`, maxOutputTokens, ...omitUndefined({ price }) };
}
