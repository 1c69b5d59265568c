import type { ActiveFault } from "./control/faults.ts";

export interface ServiceRequest {
  readonly verb: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly now: Date;
  /** The number of the call in the record. */
  readonly call: number;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A simulated provider. Every call is recorded and may hit a fault. */
export interface SimulatedService {
  /** The provider's name of the method. Undefined for an unknown path. */
  readonly methodName: (verb: string, path: string) => string | undefined;
  /** The account of the call's token, if the token is valid here. */
  readonly accountOf: (call: Pick<ServiceRequest, "url" | "headers">) => string | undefined;
  /** Whether a call changes nothing. Reads are not persisted. */
  readonly isRead: (verb: string, method: string) => boolean;
  readonly serve: (call: ServiceRequest) => Promise<ServiceResponse>;
  /** The response for an error thrown by `serve`. */
  readonly refuse: (error: unknown) => ServiceResponse;
  /** The provider's response for the status of a fault. */
  readonly respondWithFault: (fault: ActiveFault) => ServiceResponse;
}
