/** The thing under test in its own process, Bron or the bare loop. Both offer the same calls. */
export interface Subject {
  /** Runs `count` runs at once, until all of them have ended. */
  runs(order: RunsOrder): Promise<RunsMeasure>;
  /** Times from the decision to the call of the effect, one approval after another, in ms. */
  approvals(count: number): Promise<number[]>;
  close(): Promise<void>;
}

interface RunsOrder {
  readonly steps: number;
  readonly count: number;
  /** Each run's events are read meanwhile. Only for Bron. */
  readonly subscribed?: boolean;
}

export interface RunsMeasure {
  readonly wallMs: number;
  /** User and system time of the process under test alone. */
  readonly cpuMs: number;
  readonly statements: Readonly<Record<string, number>>;
}

export interface SubjectOrders {
  readonly kind: "bron" | "bare";
  readonly databaseUrl: string;
  readonly modelUrl: string;
}

export const benchSecretKey = "a secret key for benchmarks, long enough";
/** Connections of either loop, as many as createRuntime opens by default. */
export const poolSize = 12;
