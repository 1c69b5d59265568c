export { createEngine, type Engine, type EngineOptions, type EngineTarget } from "./engine.ts";
export { defaultLimits, type EngineLimits } from "./limits.ts";
export type { SweepSource } from "./worker.ts";
