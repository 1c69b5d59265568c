import { BronError, createModelSet, type Rates, type RuntimeStore } from "@bron/core";
import type { OpenQueue } from "@bron/engine";
import {
  defaultCaps,
  mergeCaps,
  type Sign,
  servedPlaceSchema,
  type ServedPlace,
} from "@bron/protocol";
import { createHmac, randomUUID } from "node:crypto";
import { createCipher } from "./cipher.ts";
import type { Cleanups } from "./cleanups.ts";
import { createModelKeys } from "./model-keys.ts";
import { openEngine, startEngine } from "./open-engine.ts";
import { openLive } from "./open-live.ts";
import { openServices } from "./open-services.ts";
import { openSkills } from "./open-skills.ts";
import { openTools } from "./open-tools.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeSettings } from "./runtime-options.ts";
import { createMemoryRates } from "./memory-rates.ts";
import type { AccessServices } from "./services/access-services.ts";
import { systemClock } from "./system-clock.ts";
import { createTelemetry } from "./telemetry.ts";
import { createTracing } from "./tracing/tracing.ts";
import { startUploadCleanup } from "./upload-cleanup.ts";

/** What a runtime is built on. The caller closes it, after the runtime. */
interface RuntimeBase {
  readonly store: RuntimeStore;
  readonly secretKey: string;
  /** Set for a store that several processes share. */
  readonly openQueue?: OpenQueue;
  /** Set for a runtime with sign-in. */
  readonly accessServices?: AccessServices | undefined;
  /** Limits that count in all processes. By default they count in this one. */
  readonly rates?: Rates | undefined;
}

/** Wires the runtime together, on any store. */
export async function assembleRuntime(
  { store: base, secretKey, openQueue, accessServices, rates }: RuntimeBase,
  settings: RuntimeSettings,
  cleanups: Cleanups,
): Promise<Runtime> {
  const { clock = systemClock, onProblem = () => undefined, work = "sweep" } = settings;
  const undoMs = checkUndo(settings.undoMs ?? 0);
  const caps = mergeCaps(defaultCaps, settings.caps);
  const sign: Sign = (purpose, text) =>
    createHmac("sha256", secretKey).update(`bron.${purpose}\n${text}`).digest("base64url");
  const places = checkPlaces(settings.places ?? []);
  const processId = randomUUID();
  const engine = openEngine(settings, {
    openQueue,
    places: [...places, { process: processId }],
    clock,
    onProblem,
  });
  const telemetry =
    settings.onRuntimeEvent &&
    createTelemetry({
      onRuntimeEvent: settings.onRuntimeEvent,
      onProblem: (error) => onProblem("A runtime event listener failed", error),
      monotonic: clock.monotonic,
    });
  const tracing = createTracing({ withContent: settings.traceContent ?? false });
  const wrapped = settings.wrap?.(base) ?? base;
  const store = telemetry?.wrapStore(wrapped) ?? wrapped;
  const { logAdvanced: onLogAdvanced } = engine;
  const live = openLive({ store, feed: base.feed, clock, onLogAdvanced, onProblem }, cleanups);
  base.setWaker({
    ...engine.waker,
    committed(wake, here) {
      engine.waker.committed(wake, here);
      live.woken(wake.runId);
    },
  });
  const outside = openTools(settings, { store, secretKey, sign, clock, onProblem });
  // Closed after the engine, whose calls may still use them.
  if (outside.toolServers) cleanups.add(outside.toolServers.close);
  const { modelsFor, ...modelKeys } = createModelKeys({
    keys: store.modelKeys,
    cipher: createCipher(secretKey, "model-keys"),
    modelFromKey: settings.modelFromKey,
    modelsOfKey: settings.modelsOfKey,
    models: createModelSet({
      main: settings.model,
      light: settings.lightModel,
      lastResort: settings.lastResortModel,
      others: settings.otherModels,
    }),
    clock,
  });
  const skillLibrary = openSkills(store.skills, settings.skills);
  const shared = { settings, store, live, ...outside, sign, skillLibrary };
  await startEngine(
    engine,
    { ...shared, telemetry, tracing, modelsFor, caps, clock, onProblem },
    cleanups,
  );
  // Started after the engine, so that nothing keeps running if the worker cannot start.
  if (work === "sweep")
    cleanups.add(startUploadCleanup({ uploads: store.uploads, clock, onProblem }).close);
  return {
    ...openServices({
      ...shared,
      modelKeys,
      modelsFor,
      caps,
      undoMs,
      accessServices,
      rates: rates ?? createMemoryRates(() => clock.now()),
    }),
    workerName: engine.workerName,
    processId,
    close: cleanups.close,
  };
}

const maxUndoMs = 60_000;

function checkUndo(undoMs: number): number {
  if (Number.isInteger(undoMs) && undoMs >= 0 && undoMs <= maxUndoMs) return undoMs;
  throw new BronError("config_invalid", `undoMs must be an integer from 0 to ${maxUndoMs}.`);
}

function checkPlaces(places: readonly ServedPlace[]): readonly ServedPlace[] {
  const parsed = servedPlaceSchema.array().max(maxPlaces).safeParse(places);
  if (parsed.success) return parsed.data;
  throw new BronError(
    "config_invalid",
    `places must be a list of at most ${maxPlaces} machines, with or without a folder, or processes.`,
  );
}

const maxPlaces = 100;
