// What a program that embeds Bron imports. The packages behind it are details.
export {
  BronError,
  defineClientTool,
  defineTool,
  type EffectContext,
  type Tool,
  type ToolContext,
  type ToolSource,
} from "@bron/core";
export { memoryStore } from "@bron/memory-store";
export { createRuntime, type Runtime, type RuntimeOptions } from "@bron/runtime";
