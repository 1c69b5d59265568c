/** The thing under test, in a process of its own: Bron or the bare loop. Both can do the same. */
export interface Subject {
  /** `count` runs at once, until all have ended. */
  runs(order: RunsOrder): Promise<RunsMeasure>;
  /** From the decision to the call of the effect, one after another, in ms. */
  approvals(count: number): Promise<number[]>;
  close(): Promise<void>;
}

export interface RunsOrder {
  readonly steps: number;
  readonly count: number;
  /** Somebody reads each run's events meanwhile; Bron only. */
  readonly followed?: boolean;
}

export interface RunsMeasure {
  readonly wallMs: number;
  /** User and system, of the process under test alone. */
  readonly cpuMs: number;
  readonly statements: Readonly<Record<string, number>>;
}

export interface SubjectOrders {
  readonly kind: "bron" | "bare";
  readonly databaseUrl: string;
  readonly modelUrl: string;
}

export const benchSecretKey = "a secret key for benchmarks, long enough";
/** Connections of either loop: as many as createBron takes for its own. */
export const poolSize = 12;
