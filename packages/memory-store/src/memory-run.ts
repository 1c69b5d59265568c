import type { ReportedStatus } from "@bron/core";
import type {
  ActionView,
  ApprovalView,
  ArtifactView,
  AttachedContext,
  EffectView,
  RunEvent,
  RunView,
} from "@bron/protocol";

/** A run with everything that its database rows would hold. */
export interface MemoryRun {
  view: RunView;
  attachedContext: AttachedContext[] | undefined;
  idempotencyKey: string | undefined;
  logVersion: number;
  events: RunEvent[];
  actions: Map<string, ActionView>;
  effects: Map<string, EffectView>;
  approvals: Map<string, ApprovalView>;
  artifacts: ArtifactView[];
  runnable: boolean;
  wakes: number;
  wakeAt: number;
  lease: { owner: string; until: number } | undefined;
  epoch: number;
  claims: number;
  drawnMicrousd: number;
  reportedToParent: ReportedStatus;
}
