export type { RuntimeBackupLine } from "./backup.ts";
export { restoreBackup } from "./restore-backup.ts";
export { createRuntime } from "./create-runtime.ts";
export type { PostgresRuntime, Runtime, RuntimeWithAccess } from "./runtime.ts";
export type {
  PostgresRuntimeOptions,
  RuntimeOptions,
  StoreRuntimeOptions,
} from "./runtime-options.ts";
export type { RuntimeEvent } from "./telemetry.ts";
export type { ModelsOfKey, OwnerModelKey } from "./model-keys.ts";
export { homeMachineId } from "./machine-id.ts";
export { systemClock } from "./system-clock.ts";
export type { Sandbox } from "./services/sandbox-services.ts";
export {
  Created,
  programOf,
  requireScope,
  type ServiceCaller,
  type ServiceRequest,
} from "./services/service.ts";
export { createAppServices } from "./services/app-services.ts";
export { callService, type ServiceKey, type Services } from "./services/services.ts";
export { inProcessTransport } from "./services/in-process-transport.ts";
