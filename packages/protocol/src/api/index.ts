import { agentApi } from "./agent-api.ts";
import { approvalsApi } from "./approvals-api.ts";
import { bronsApi } from "./brons-api.ts";
import { clientActionsApi } from "./client-actions-api.ts";
import { ownerApi } from "./owner-api.ts";
import { questionsApi } from "./questions-api.ts";
import { runsApi } from "./runs-api.ts";
import { serverApi } from "./server-api.ts";
import { threadsApi } from "./threads-api.ts";
import { uploadsApi } from "./uploads-api.ts";

/**
 * All HTTP endpoints. The routes, the OpenAPI document and the client's types are derived from this
 * table.
 */
export const api = {
  ...agentApi,
  ...runsApi,
  ...threadsApi,
  ...approvalsApi,
  ...questionsApi,
  ...clientActionsApi,
  ...bronsApi,
  ...uploadsApi,
  ...ownerApi,
  ...serverApi,
};
export type Api = typeof api;
export type ApiKey = keyof Api;
