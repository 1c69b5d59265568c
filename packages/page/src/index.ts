export { parseActionFile, type ActionMetadata } from "./actions/action-file.ts";
export { actionTypes } from "./actions/action-types.ts";
export type { ActionCaller, ActionHandler, SiteAction } from "./actions/action-registry.ts";
export { pluginActions } from "./actions/plugin-actions.ts";
