import { createClient } from "@bron/client";
import type { ModelSet, Rates, Store } from "@bron/core";
import { defaultUploadQuota, scopes, type Caps, type RunEvent, type Sign } from "@bron/protocol";
import { createAgentRuns } from "./agent/agent-runs.ts";
import { connectorOf, createConnectionSignIn } from "./connection-sign-in.ts";
import type { ModelKeyService } from "./model-keys.ts";
import { openArtifact } from "./open-artifact.ts";
import type { LiveUpdates } from "./open-live.ts";
import type { SkillLibrary } from "./open-skills.ts";
import type { RuntimeTools } from "./open-tools.ts";
import { plainTextOnly } from "./plain-text-only.ts";
import { createRunLogs } from "./run-logs.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeSettings } from "./runtime-options.ts";
import type { AccessServices } from "./services/access-services.ts";
import { inProcessTransport } from "./services/in-process-transport.ts";
import type { ServiceCaller } from "./services/service.ts";
import { createServices } from "./services/services.ts";
import { toEventView } from "./services/public-views.ts";
import { startRun } from "./services/start-run.ts";
import { systemClock } from "./system-clock.ts";
import { createUploadReceiver } from "./upload-receiver.ts";

interface OpenServicesDeps extends RuntimeTools {
  readonly settings: Pick<
    RuntimeSettings,
    "files" | "previewFile" | "uploadQuota" | "sideEffects" | "pageWatcher"
  >;
  readonly store: Store;
  readonly live: LiveUpdates;
  readonly modelKeys: ModelKeyService;
  readonly skillLibrary: SkillLibrary;
  readonly sign: Sign;
  readonly caps: Caps;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
  readonly undoMs: number;
  readonly rates: Rates;
  /** Set for a runtime with sign-in. */
  readonly accessServices: AccessServices | undefined;
}

/** Opens what programs and doors use of a runtime. */
export function openServices(
  deps: OpenServicesDeps,
): Omit<Runtime, "workerName" | "processId" | "close"> {
  const { settings, store, live, sign, caps, modelsFor } = deps;
  const files = settings.files ?? plainTextOnly;
  const uploadQuota = { ...defaultUploadQuota, ...settings.uploadQuota };
  const viewOf = (event: RunEvent) => toEventView(event, deps.tools);
  const sideEffects = settings.sideEffects ?? true;
  const { previewFile, pageWatcher } = settings;
  const services = createServices({
    ...deps,
    viewOf,
    files,
    previewFile,
    pageWatcher,
    uploadQuota,
    sideEffects,
  });
  const logs = createRunLogs({ runs: store.runs, hub: live.hub, clock: systemClock });
  const runtime = {
    logs,
    viewOf,
    changes: live.changes,
    partialTexts: live.partialTexts,
    openArtifact: (ownerId: string, digest: string) =>
      openArtifact(store.artifacts, ownerId, digest),
    ...createUploadReceiver({
      uploads: store.uploads,
      sign,
      files,
      maxBytes: caps.attachmentBytes,
    }),
  };
  return {
    ...runtime,
    services,
    clientFor: (caller) =>
      createClient({
        transport: inProcessTransport({
          runtime,
          services: { ...services, ...deps.accessServices },
          caller: typeof caller === "string" ? ownerOf(caller) : caller,
        }),
      }),
    startRun: (ownerId, input, options) =>
      startRun({ runs: store.runs, caps, modelsFor }, ownerId, input, options),
    agent: createAgentRuns({ store, logs, live, caps, modelsFor }),
    modelKeys: deps.modelKeys,
    oauthClients: {
      ...deps.oauthClients,
      setupOf: async (provider) => (await connectorOf(deps, provider).setup?.()) ?? "configured",
    },
    connections: createConnectionSignIn(deps, store.runs),
    countRuns: store.runs.counts,
    ...store.load,
    sign,
    ...store.usedKeys,
    onDelta: live.deltas.subscribe,
    setOwnerCap: store.budgets.setOwnerCap,
  };
}

/** The owner, as the program itself acts for them. */
function ownerOf(ownerId: string): ServiceCaller {
  return { ownerId, via: "terminal", scopes: [...scopes], email: null, mayRaiseCaps: true };
}
