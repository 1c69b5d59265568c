export { createEngine, type Engine } from "./engine.ts";
export { defaultLimits, type EngineLimits } from "./limits.ts";
