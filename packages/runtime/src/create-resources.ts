import type { ModelSet, Store } from "@bron/core";
import { defaultUploadQuota, type Caps, type Sign } from "@bron/protocol";
import { createApprovals } from "./approvals.ts";
import { createArtifacts } from "./artifacts.ts";
import { createAudit } from "./audit.ts";
import { createBrons } from "./brons.ts";
import { createClientActions } from "./client-actions.ts";
import { createConnections } from "./connections.ts";
import { createEffects } from "./effects.ts";
import type { LiveUpdates } from "./open-live.ts";
import type { RuntimeTools } from "./open-tools.ts";
import { plainTextOnly } from "./plain-text-only.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeSettings } from "./runtime-options.ts";
import { createRuns } from "./runs.ts";
import { createThreads } from "./threads.ts";
import { toolViews } from "./tool-views.ts";
import { createUploads } from "./uploads.ts";
import { summarizeUsage } from "./usage.ts";

export interface ResourceDeps extends RuntimeTools {
  readonly settings: RuntimeSettings;
  readonly store: Store;
  readonly live: LiveUpdates;
  readonly sign: Sign;
  readonly caps: Caps;
  readonly undoMs: number;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

/** The resources of the runtime: what it can do, by kind, before any door. */
export function createResources({
  settings,
  store,
  live,
  sign,
  connectors,
  tools,
  caps,
  undoMs,
  modelsFor,
}: ResourceDeps): Omit<Runtime, "modelKeys" | "processId" | "workerName" | "close"> {
  const { permissions } = store;
  return {
    brons: createBrons({
      brons: store.brons,
      permissions,
      toolNames: () => [...tools.keys()],
      modelsFor,
    }),
    changes: live.changes,
    tools: () => toolViews(tools.values()),
    usage: (ownerId, period) => summarizeUsage(store.usage, ownerId, period),
    runs: createRuns({ runs: store.runs, caps, hub: live.hub, modelsFor }),
    threads: createThreads(store),
    approvals: createApprovals({ approvals: store.approvals, sign, tools, undoMs }),
    questions: store.questions,
    workers: store.workers,
    clientActions: createClientActions({ clientActions: store.clientActions, sign, tools }),
    artifacts: createArtifacts(store.artifacts),
    uploads: createUploads({
      uploads: store.uploads,
      sign,
      files: settings.files ?? plainTextOnly,
      maxBytes: caps.attachmentBytes,
      quota: { ...defaultUploadQuota, ...settings.uploadQuota },
    }),
    effects: createEffects(store.effects),
    audit: createAudit(store.audit),
    connections: createConnections(connectors, store.runs),
    permissions,
    partialTexts: live.partialTexts,
    ...store.load,
    sign,
    ...store.usedKeys,
    onDelta: live.deltas.subscribe,
    setOwnerCap: store.budgets.setOwnerCap,
  };
}
