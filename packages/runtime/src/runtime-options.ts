import type {
  AccessStore,
  AuxiliaryRequests,
  Clock,
  Connector,
  ConnectorDeps,
  FileCheck,
  FilePreviewer,
  ModelLimits,
  Policy,
  PollWatch,
  RunModel,
  RuntimeStore,
  SkillReader,
  Store,
  Tool,
  ToolServers,
  ToolServersDeps,
  ToolSource,
  UploadQuota,
  MemoryEmbeddings,
} from "@bron/core";
import type { EngineLimits } from "@bron/engine";
import type { Caps, ServedPlace } from "@bron/protocol";
import type { S3Settings } from "@bron/store";
import type { ModelFromKey, ModelsOfKey } from "./model-keys.ts";
import type { PostgresOptions } from "./open-postgres.ts";
import type { RuntimeEvent } from "./telemetry.ts";

/** What every runtime takes, whatever store it runs on. */
export interface RuntimeSettings {
  readonly model: RunModel;
  /** For auxiliary calls. The default is `model`. */
  readonly lightModel?: RunModel;
  /** Used while another model is unavailable. */
  readonly lastResortModel?: RunModel;
  /** More models that runs and Brons can choose by name. */
  readonly otherModels?: readonly RunModel[];
  /** Creates models from the owners' own keys. Without it, keys are stored but not used. */
  readonly modelFromKey?: ModelFromKey;
  /** The models of a provider that the owner of a key for it can choose. */
  readonly modelsOfKey?: ModelsOfKey;
  /** What a run asks the light model, besides its steps. A pure function of the run's state. */
  readonly auxiliaryRequests?: AuxiliaryRequests;
  /** Tools that every run can have. A Bron has all of them, or those that its owner chose. */
  readonly tools?: readonly Tool[];
  /** Tools that single runs bring. See `ToolSource`. */
  readonly toolSources?: readonly ToolSource[];
  /** Finds what is remembered by its meaning. Without it, search compares words. */
  readonly memoryEmbeddings?: MemoryEmbeddings;
  /** How long after a task its Bron's memory summary is renewed. The default is one minute. */
  readonly upkeepAfterMs?: number;
  /** MCP servers of owners, whose tools runs can use. The runtime closes them. */
  readonly toolServers?: (deps: ToolServersDeps) => ToolServers;
  /** External services. Each brings tools and a way to connect accounts. */
  readonly connectors?: readonly ((deps: ConnectorDeps) => Connector)[];
  /** Polls web pages for watches. Without it, pages cannot be watched. */
  readonly pageWatcher?: PollWatch;
  readonly policy?: Policy;
  /** If false, runs change nothing outside, not even drafts. */
  readonly sideEffects?: boolean;
  /**
   * Addresses and domains. No one else gets an email, an invitation or a message, whatever is
   * approved. By default there is no such limit.
   */
  readonly onlyRecipients?: readonly string[];
  readonly caps?: Partial<Caps>;
  /** Reads skills. Without it, runs have none and none can be added. */
  readonly skills?: SkillReader;
  /** Which files owners may upload. The default is plain text only. */
  readonly files?: FileCheck;
  /** Makes the previews of files. Without it, files have none. */
  readonly previewFile?: FilePreviewer;
  /**
   * Limits for the total size of uploads that are not attached to a run. The defaults are 200 MB
   * per owner and 2,000 MB in total. 0 means no limit.
   */
  readonly uploadQuota?: Partial<UploadQuota>;
  readonly limits?: Partial<EngineLimits>;
  /**
   * `sweep` (default) runs a full worker. `own` advances only runs that this process starts. `none`
   * leaves the work to other processes.
   */
  readonly work?: "sweep" | "own" | "none";
  /**
   * The places that this process serves, besides itself (see `Runtime.processId`). Runs that require
   * another place are left to other processes.
   */
  readonly places?: readonly ServedPlace[];
  /** How long an approval stays open. The default is 72 hours. */
  readonly approvalTtlMs?: number;
  /**
   * How long an approval can be undone before its effect starts. The default is 0, the maximum one
   * minute.
   */
  readonly undoMs?: number;
  readonly modelLimits?: Partial<ModelLimits>;
  readonly clock?: Clock;
  readonly onProblem?: (message: string, error?: unknown) => void;
  /** Reports what this process does, for logs and metrics. It contains no text of a run. */
  readonly onRuntimeEvent?: (runtimeEvent: RuntimeEvent) => void;
  /**
   * Adds prompts, messages, arguments and results to spans. There are spans only if the process has
   * registered an OpenTelemetry SDK before it creates the runtime.
   */
  readonly traceContent?: boolean;
  /** For tests: shorter intervals, and wrappers for the ports. */
  readonly engine?: {
    readonly leaseMs?: number;
    readonly sweepMs?: number;
    readonly pollMs?: number;
    readonly workerName?: string;
  };
  readonly wrap?: (store: Store) => Store;
}

/** A runtime on Postgres: your own, or the embedded one of a home. */
export interface PostgresRuntimeOptions extends RuntimeSettings, PostgresOptions {
  readonly store?: undefined;
  /** Stores file contents in S3 instead of the database. */
  readonly s3?: S3Settings;
}

/** A runtime on a store that the caller opened. The caller also closes it, after the runtime. */
export interface StoreRuntimeOptions extends RuntimeSettings {
  readonly store: RuntimeStore;
  /**
   * Signs approvals and uploads, and encrypts tokens and keys. The default is a new key, which fits
   * a store that lives no longer than the runtime.
   */
  readonly secretKey?: string;
  /** Sessions, API tokens and rate limits, for a runtime that a server offers to a network. */
  readonly access?: AccessStore;
}

export type RuntimeOptions = PostgresRuntimeOptions | StoreRuntimeOptions;
