export type { ToolResult } from "./scripted-model/conversation.ts";
export type {
  CutAnswer,
  EndlessAnswer,
  FailedAnswer,
  HangingAnswer,
  NonsenseAnswer,
  Script,
  ScriptAnswer,
  ScriptRequest,
  SpokenAnswer,
} from "./scripted-model/script.ts";
export {
  startScriptedModel,
  type RecordedRequest,
  type RequestOutcome,
  type ScriptedModelOptions,
  type ScriptedModelServer,
} from "./scripted-model/server.ts";
