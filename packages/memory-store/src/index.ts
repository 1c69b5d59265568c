export { memoryStore, type MemoryStore } from "./memory-store.ts";
export type { PortableLog } from "./portable-log.ts";
