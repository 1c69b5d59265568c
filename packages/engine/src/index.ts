export { dbosQueue, type OpenQueue } from "./durable-queue.ts";
export { createEngine, type Engine } from "./engine.ts";
export { defaultLimits, type EngineLimits } from "./limits.ts";
