export { parseActionFile, type ActionMetadata } from "./actions/action-file.ts";
export { actionTypes } from "./actions/action-types.ts";
export type { ActionCaller, ActionHandler, SiteAction } from "./actions/action-registry.ts";
export { actionsInManifest } from "./actions/manifest-actions.ts";
export {
  createPageHandler,
  type PageHandler,
  type PageHandlerOptions,
} from "./http/page-handler.ts";
export type { FindSite, PageSite, SiteCaps } from "./site/page-site.ts";
export type { PageMemory, StateKeeper } from "./state/keeper.ts";
