export type { ToolResult } from "./conversation.ts";
export type {
  TruncatedResponse,
  EndlessResponse,
  ErrorResponse,
  HangingResponse,
  InvalidResponse,
  Script,
  ScriptResponse,
  ScriptRequest,
  MessageResponse,
} from "./script.ts";
export {
  startDemoModel,
  type RecordedRequest,
  type RequestOutcome,
  type DemoModelOptions,
  type DemoModelServer,
} from "./server.ts";
