import type { ActiveFault } from "./control/faults.ts";

export interface ServiceRequest {
  readonly verb: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly now: Date;
  /** Its number in the record. */
  readonly call: number;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A simulated provider. Every one of its calls is written down and may meet a fault. */
export interface SimulatedService {
  /** As the provider names it; undefined for what it does not serve. */
  readonly methodName: (verb: string, path: string) => string | undefined;
  /** Whose token a call carries, if it is one of ours. */
  readonly accountOf: (call: Pick<ServiceRequest, "url" | "headers">) => string | undefined;
  /** Calls that change nothing, which a restart may forget. */
  readonly isRead: (verb: string, method: string) => boolean;
  readonly serve: (call: ServiceRequest) => Promise<ServiceResponse>;
  /** The answer for what `serve` threw. */
  readonly refuse: (error: unknown) => ServiceResponse;
  /** The provider's answer for the status of a fault. */
  readonly respondWithFault: (fault: ActiveFault) => ServiceResponse;
}
