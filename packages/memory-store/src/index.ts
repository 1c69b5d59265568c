export { memoryStore, type MemoryStore } from "./memory-store.ts";
export type { MemoryLimits, MemoryStoreOptions } from "./memory-state.ts";
export type { PortableLog } from "./portable-log.ts";
