export type { Script, ScriptResponse } from "./script.ts";
export { startDemoModel, type DemoModelServer } from "./server.ts";
