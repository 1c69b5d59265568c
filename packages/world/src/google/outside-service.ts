import type { ActiveFault } from "./control/faults.ts";

export interface OutsideCall {
  readonly verb: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly now: Date;
  /** Its number in the record. */
  readonly call: number;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A simulated provider. Every one of its calls is written down and may meet a fault. */
export interface OutsideService {
  /** As the provider names it; undefined for what it does not serve. */
  readonly methodName: (verb: string, path: string) => string | undefined;
  /** Whose token a call carries, if it is one of ours. */
  readonly accountOf: (call: Pick<OutsideCall, "url" | "headers">) => string | undefined;
  /** Calls that change nothing, which a restart may forget. */
  readonly isRead: (verb: string, method: string) => boolean;
  readonly serve: (call: OutsideCall) => Promise<OutsideAnswer>;
  /** The answer for what `serve` threw. */
  readonly refuse: (error: unknown) => OutsideAnswer;
  /** The provider's answer for the status of a fault. */
  readonly answerFault: (fault: ActiveFault) => OutsideAnswer;
}
