import type { Permissions, Store } from "@bron/core";
import { defaultUploadQuota, type Caps } from "@bron/protocol";
import {
  postgresApiTokens,
  postgresBrons,
  postgresLoad,
  postgresRates,
  postgresSessions,
  postgresUsage,
  postgresUsedKeys,
} from "@bron/store";
import { createApprovals } from "./approvals.ts";
import { createArtifacts } from "./artifacts.ts";
import { createAudit } from "./audit.ts";
import { backupLines } from "./backup.ts";
import { createBrons } from "./brons.ts";
import { createConnections } from "./connections.ts";
import { createEffects } from "./effects.ts";
import type { LiveUpdates } from "./open-live.ts";
import type { Storage } from "./open-storage.ts";
import type { RuntimeTools } from "./open-tools.ts";
import { plainTextOnly } from "./plain-text-only.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { createRuns } from "./runs.ts";
import { createSessions } from "./sessions.ts";
import { createTokens } from "./tokens.ts";
import { toolViews } from "./tool-views.ts";
import { createUploads } from "./uploads.ts";
import { summarizeUsage } from "./usage.ts";

export interface ResourceDeps extends RuntimeTools {
  readonly options: RuntimeOptions;
  readonly storage: Storage;
  readonly store: Store;
  readonly live: LiveUpdates;
  readonly permissions: Permissions;
  readonly caps: Caps;
  readonly undoMs: number;
}

/** The resources of the runtime: what it can do, by kind, before any door. */
export function createResources({
  options,
  storage,
  store,
  live,
  permissions,
  connectors,
  tools,
  caps,
  undoMs,
}: ResourceDeps): Omit<Runtime, "modelKeys" | "workerName" | "close"> {
  const { database, blobs, secretKey, sign } = storage;
  const { pool } = database;
  const usage = postgresUsage(pool);
  return {
    brons: createBrons(postgresBrons(database), permissions),
    changes: live.changes,
    tools: () => toolViews(tools.values()),
    usage: (ownerId, period) => summarizeUsage(usage, ownerId, period),
    runs: createRuns({ runs: store.runs, caps, hub: live.hub }),
    approvals: createApprovals({ approvals: store.approvals, sign, tools, undoMs }),
    artifacts: createArtifacts(store.artifacts),
    uploads: createUploads({
      uploads: store.uploads,
      sign,
      files: options.files ?? plainTextOnly,
      maxBytes: caps.attachmentBytes,
      quota: { ...defaultUploadQuota, ...options.uploadQuota },
    }),
    effects: createEffects(store.effects),
    audit: createAudit(store.audit),
    connections: createConnections(connectors, store.runs),
    permissions,
    sessions: createSessions(postgresSessions(pool)),
    tokens: createTokens(postgresApiTokens(pool)),
    rates: postgresRates(pool),
    streamSlots: live.streamSlots,
    partialTexts: live.partialTexts,
    ...postgresLoad(pool),
    sign,
    ...postgresUsedKeys(database.db),
    onDelta: live.deltas.subscribe,
    backup: () =>
      backupLines({ pool, blobs }, options.databaseUrl === undefined ? secretKey : undefined),
    setOwnerCap: store.budgets.setOwnerCap,
  };
}
