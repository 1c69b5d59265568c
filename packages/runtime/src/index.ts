export { restoreBackup, type RuntimeBackupLine } from "./backup.ts";
export { createRuntime } from "./create-runtime.ts";
export type { Runtime } from "./runtime.ts";
export type { RuntimeOptions } from "./runtime-options.ts";
export type { RuntimeEvent } from "./telemetry.ts";
export type { OwnerModelKey } from "./model-keys.ts";
export { systemClock } from "./system-clock.ts";
export type { Load } from "@bron/store";
export { toEventView } from "./services/public-views.ts";
export type { Sandbox } from "./services/sandbox-services.ts";
export {
  Created,
  requireScope,
  type ServiceCaller,
  type ServiceRequest,
} from "./services/service.ts";
export {
  callService,
  createServices,
  type ServiceKey,
  type Services,
} from "./services/services.ts";
export { inProcessTransport } from "./services/in-process-transport.ts";
