import { agentApi } from "./agent-api.ts";
import { approvalsApi } from "./approvals-api.ts";
import { auditApi } from "./audit-api.ts";
import { bronsApi } from "./brons-api.ts";
import { budgetApi } from "./budget-api.ts";
import { clientActionsApi } from "./client-actions-api.ts";
import { connectionsApi } from "./connections-api.ts";
import { demoApi } from "./demo-api.ts";
import { memoryApi } from "./memory-api.ts";
import { mcpApi } from "./mcp-api.ts";
import { modelKeysApi } from "./model-keys-api.ts";
import { ownerApi } from "./owner-api.ts";
import { permissionsApi } from "./permissions-api.ts";
import { questionsApi } from "./questions-api.ts";
import { runsApi } from "./runs-api.ts";
import { schedulesApi } from "./schedules-api.ts";
import { serverApi } from "./server-api.ts";
import { skillsApi } from "./skills-api.ts";
import { threadsApi } from "./threads-api.ts";
import { uploadsApi } from "./uploads-api.ts";
import { usageApi } from "./usage-api.ts";

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
  ...memoryApi,
  ...skillsApi,
  ...uploadsApi,
  ...ownerApi,
  ...usageApi,
  ...budgetApi,
  ...modelKeysApi,
  ...auditApi,
  ...permissionsApi,
  ...schedulesApi,
  ...connectionsApi,
  ...mcpApi,
  ...demoApi,
  ...serverApi,
};
export type Api = typeof api;
export type ApiKey = keyof Api;
