import {
  BronError,
  type Connector,
  type FileCheck,
  type FilePreviewer,
  type PollWatch,
  type Store,
  type ToolServers,
  type UploadQuota,
} from "@bron/core";
import type { ApiResponse } from "@bron/protocol";
import type { ModelKeyService } from "../model-keys.ts";
import type { SkillLibrary } from "../open-skills.ts";
import type { AccessKeys } from "./access-services.ts";
import type { AppKeys } from "./app-services.ts";
import { approvalServices, type ApprovalServicesDeps } from "./approval-services.ts";
import { auditServices } from "./audit-services.ts";
import { bronFileServices } from "./bron-file-services.ts";
import { bronServices } from "./bron-services.ts";
import { budgetServices } from "./budget-services.ts";
import { clientActionServices } from "./client-action-services.ts";
import { connectionServices } from "./connection-services.ts";
import { effectServices } from "./effect-services.ts";
import { memoryServices } from "./memory-services.ts";
import { mcpServices } from "./mcp-services.ts";
import { modelKeyServices } from "./model-key-services.ts";
import { permissionServices } from "./permission-services.ts";
import { previewServices } from "./preview-services.ts";
import { questionServices } from "./question-services.ts";
import { runServices, type RunServicesDeps } from "./run-services.ts";
import { scheduleServices } from "./schedule-services.ts";
import type { Created, ServiceRequest, ServicesOf } from "./service.ts";
import { systemClock } from "../system-clock.ts";
import { skillServices } from "./skill-services.ts";
import { threadServices } from "./thread-services.ts";
import { uploadServices } from "./upload-services.ts";
import { usageServices } from "./usage-services.ts";

interface ServicesDeps
  extends
    Pick<ApprovalServicesDeps, "sign" | "tools" | "undoMs" | "rates">,
    Pick<RunServicesDeps, "caps" | "modelsFor" | "viewOf"> {
  readonly store: Store;
  readonly connectors: readonly Connector[];
  readonly toolServers: ToolServers | undefined;
  /** Whether anything may be changed in the owner's accounts. */
  readonly sideEffects: boolean;
  readonly modelKeys: ModelKeyService;
  readonly unavailable: () => Promise<ReadonlySet<string>>;
  readonly skillLibrary: SkillLibrary;
  readonly files: FileCheck;
  readonly pageWatcher: PollWatch | undefined;
  readonly previewFile: FilePreviewer | undefined;
  readonly uploadQuota: UploadQuota;
}

/** The services that every runtime has. */
export type RuntimeServices = ReturnType<typeof createServices>;
/** The services that a door offers. An app adds its own, and those for sign-in if it has it. */
export type Services = RuntimeServices & Partial<ServicesOf<AppKeys | AccessKeys>>;
export type ServiceKey = keyof Services;

/**
 * Everything that a door can ask for, keyed by endpoint. HTTP routes are generated from it, and
 * programs in the same process call it directly. What only makes sense over HTTP (cookies,
 * redirects, downloads, streams) stays with the server.
 */
export function createServices(deps: ServicesDeps) {
  const { store, sign, tools, caps, modelsFor, undoMs, files } = deps;
  const { runs } = store;
  return {
    ...runServices({
      runs,
      artifacts: store.artifacts,
      workers: store.workers,
      viewOf: deps.viewOf,
      caps,
      modelsFor,
    }),
    ...effectServices({ ...store, tools, sideEffects: deps.sideEffects }),
    ...threadServices({ threads: store.threads, runs, clock: systemClock }),
    ...approvalServices({
      ...deps,
      approvals: store.approvals,
      permissions: store.permissions,
      runs,
    }),
    ...questionServices(store),
    ...clientActionServices({ clientActions: store.clientActions, sign, tools }),
    ...bronServices({
      brons: store.brons,
      permissions: store.permissions,
      runs,
      tools,
      unavailable: deps.unavailable,
      modelsFor,
      skillNames: async (ownerId) =>
        (await store.skills.list(ownerId)).flatMap(({ name, accepted }) =>
          accepted ? [name] : [],
        ),
    }),
    ...skillServices({ skills: store.skills, library: deps.skillLibrary, tools }),
    ...bronFileServices({ brons: store.brons, tools, modelsFor }),
    ...memoryServices(store),
    ...permissionServices({ permissions: store.permissions, undoMs }),
    ...scheduleServices({ ...deps, schedules: store.schedules }),
    ...usageServices(store),
    ...budgetServices(store),
    ...auditServices(store),
    ...connectionServices(deps),
    ...mcpServices(deps),
    ...modelKeyServices(deps),
    ...uploadServices({
      uploads: store.uploads,
      sign,
      files,
      maxBytes: caps.attachmentBytes,
      quota: deps.uploadQuota,
    }),
    ...previewServices({ artifacts: store.artifacts, previewFile: deps.previewFile }),
    ...callerServices,
  };
}

const callerServices: ServicesOf<"GET /api/me"> = {
  "GET /api/me": ({ caller: { ownerId, via, scopes, email } }) =>
    Promise.resolve({ ownerId, via, scopes, email }),
};

/** Calls the service of an endpoint that is only known at run time. Throws not_found without one. */
export async function callService<K extends ServiceKey>(
  services: Services,
  key: K,
  request: ServiceRequest<K>,
): Promise<ApiResponse<K> | Created<ApiResponse<K>>> {
  const service = services[key] as
    | ((request: ServiceRequest<K>) => Promise<ApiResponse<K> | Created<ApiResponse<K>>>)
    | undefined;
  if (!service) throw new BronError("not_found", `This runtime has no ${key}.`);
  return await service(request);
}
