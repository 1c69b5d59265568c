export type { FaultRule } from "./google/control/faults.ts";
export type { SimulatorRecord } from "./google/state/record.ts";
export { startSimulator, type Simulator, type SimulatorOptions } from "./google/start-simulator.ts";
export type { ForbiddenEffect, HostileItem } from "./hostile/hostile-item.ts";
export { hostileItems } from "./hostile/hostile-items.ts";
export { plantHostile, type Planted } from "./hostile/plant-hostile.ts";
