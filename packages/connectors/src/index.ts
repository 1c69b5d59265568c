export { googleConnector, type GoogleConnectorOptions } from "./google-connector.ts";
export type { GoogleConfig } from "./google/google-config.ts";
