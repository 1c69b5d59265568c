import { BronError } from "@bron/core";
import { defaultCaps, mergeCaps } from "@bron/protocol";
import { createPostgresStore, postgresModelKeys, postgresPermissions } from "@bron/store";
import { createCipher } from "./cipher.ts";
import { createCleanups, type Cleanups } from "./cleanups.ts";
import { createModelKeys } from "./model-keys.ts";
import { openEngine, startEngine } from "./open-engine.ts";
import { openLive } from "./open-live.ts";
import { openStorage } from "./open-storage.ts";
import { openTools } from "./open-tools.ts";
import { createReportingWaker } from "./reporting-waker.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { createResources } from "./create-resources.ts";
import { systemClock } from "./system-clock.ts";
import { createTelemetry } from "./telemetry.ts";
import { createTracing } from "./tracing/tracing.ts";
import { startUploadCleanup } from "./upload-cleanup.ts";

/** Creates the runtime. All apps are built on it. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const cleanups = createCleanups();
  try {
    return await open(options, cleanups);
  } catch (error) {
    await cleanups.close().catch(() => undefined);
    throw error;
  }
}

async function open(options: RuntimeOptions, cleanups: Cleanups): Promise<Runtime> {
  const { clock = systemClock, onProblem = () => undefined, work = "sweep" } = options;
  const undoMs = checkUndo(options.undoMs ?? 0);
  const caps = mergeCaps(defaultCaps, options.caps);
  const storage = await openStorage(options, onProblem, cleanups);
  const { database, secretKey } = storage;
  const engine = openEngine(options, storage, clock, onProblem);
  const { waker, onWoken } = createReportingWaker(engine.waker);
  const base = createPostgresStore(database, waker, storage.blobs);
  const telemetry = createTelemetry({
    onRuntimeEvent: options.onRuntimeEvent ?? (() => undefined),
    onProblem: (error) => onProblem("A runtime event listener failed", error),
    monotonic: clock.monotonic,
  });
  const tracing = createTracing({ withContent: options.traceContent ?? false });
  const store = telemetry.wrapStore(options.wrap?.(base) ?? base);
  const { runs, uploads } = store;
  const { logAdvanced: onLogAdvanced } = engine;
  const live = openLive({ storage, runs, clock, onLogAdvanced, onProblem }, cleanups);
  onWoken(live.woken);
  const permissions = postgresPermissions(database, options.sideEffects ?? true);
  const { connectors, tools } = openTools(options, storage, runs, clock);
  const { modelFor, ...modelKeys } = createModelKeys({
    keys: postgresModelKeys(database.pool),
    cipher: createCipher(secretKey, "model-keys"),
    modelFromKey: options.modelFromKey,
    defaultModel: options.model,
    clock,
  });
  const shared = { options, storage, store, live, permissions, tools };
  await startEngine(
    engine,
    { ...shared, telemetry, tracing, modelFor, clock, onProblem },
    cleanups,
  );
  // Started after the engine, so that nothing keeps running if the worker cannot start.
  if (work === "sweep") cleanups.add(startUploadCleanup({ uploads, clock, onProblem }).close);
  return {
    ...createResources({ ...shared, connectors, caps, undoMs }),
    modelKeys,
    workerName: engine.workerName,
    close: cleanups.close,
  };
}

const maxUndoMs = 60_000;

function checkUndo(undoMs: number): number {
  if (Number.isInteger(undoMs) && undoMs >= 0 && undoMs <= maxUndoMs) return undoMs;
  throw new BronError("config_invalid", `undoMs must be an integer from 0 to ${maxUndoMs}.`);
}
