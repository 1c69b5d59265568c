export { googleConnector, type GoogleConnectorOptions } from "./google-connector.ts";
export type { GoogleConfig } from "./google/google-config.ts";
export { slackConnector } from "./slack-connector.ts";
export type { SlackConfig } from "./slack/slack-config.ts";
export { pageWatcher } from "./watch/watch-page.ts";
export { webFetchTool } from "./web/web-fetch.ts";
