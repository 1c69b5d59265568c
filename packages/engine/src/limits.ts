/** Limits for runs that are active at the same time. All three apply, however a run is started. */
export interface EngineLimits {
  readonly perWorker: number;
  readonly perOwner: number;
  readonly inAll: number;
}

export const defaultLimits: EngineLimits = { perWorker: 50, perOwner: 50, inAll: 1_000 };
