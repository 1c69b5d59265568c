export { restoreBackup, type RuntimeBackupLine } from "./backup.ts";
export { createRuntime } from "./create-runtime.ts";
export type { Runtime } from "./runtime.ts";
export type { RuntimeOptions } from "./runtime-options.ts";
export type { PartialTexts } from "./partial-text-hub.ts";
export type { ApprovalService } from "./approvals.ts";
export type { ArtifactService } from "./artifacts.ts";
export type { AuditService } from "./audit.ts";
export type { BronService } from "./brons.ts";
export type { RunChanges, ChangesListener } from "./change-hub.ts";
export type { ConnectionService } from "./connections.ts";
export type { RuntimeEvent } from "./telemetry.ts";
export type { EffectService } from "./effects.ts";
export type { ModelKeyService, ModelFromKey, OwnerModelKey } from "./model-keys.ts";
export type { RunService } from "./runs.ts";
export type { SessionService } from "./sessions.ts";
export type { StreamSlotService } from "./stream-slots.ts";
export type { TokenService } from "./tokens.ts";
export type { UploadService } from "./uploads.ts";
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
  type ServedRuntime,
  type ServiceKey,
  type Services,
} from "./services/services.ts";
