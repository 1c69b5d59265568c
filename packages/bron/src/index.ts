export { restoreBron, type BronBackupLine } from "./backup.ts";
export { createBron, type Bron, type BronOptions } from "./create-bron.ts";
export type { BronAnswers } from "./answers.ts";
export type { BronApprovals } from "./approvals.ts";
export type { BronArtifacts } from "./artifacts.ts";
export type { BronConnections } from "./connections.ts";
export type { BronRuns } from "./runs.ts";
export { systemClock } from "./system-clock.ts";
export { BronError, defineTool, type Tool, type ToolContext, type EffectContext } from "@bron/core";
