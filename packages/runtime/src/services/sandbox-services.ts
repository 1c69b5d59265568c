import { BronError } from "@bron/core";
import type { DemoFault, DemoView } from "@bron/protocol";
import type { ServiceCaller, ServicesOf } from "./service.ts";

/** The simulated email, calendar and Slack of demo mode. */
export interface Sandbox {
  view(account?: string): Promise<DemoView>;
  injectFault(fault: DemoFault): Promise<void>;
  clearFaults(): Promise<void>;
  /** Restores the initial state and reconnects the accounts. */
  reset(): Promise<void>;
}

export type SandboxKeys =
  | "GET /api/demo"
  | "POST /api/demo/faults"
  | "POST /api/demo/faults/clear"
  | "POST /api/demo/reset";

/** Shows the sandbox and injects faults. Everything is not_found when there is no sandbox. */
export function sandboxServices({
  sandbox,
  ownerId,
}: {
  readonly sandbox: Sandbox | undefined;
  /** The sandbox has only the accounts of this owner. */
  readonly ownerId: string;
}): ServicesOf<SandboxKeys> {
  const sandboxOf = (caller: ServiceCaller) => {
    if (!sandbox || caller.ownerId !== ownerId)
      throw new BronError("not_found", "This server has no sandbox.");
    return sandbox;
  };
  return {
    "GET /api/demo": async ({ caller, query }) => await sandboxOf(caller).view(query.account),
    async "POST /api/demo/faults"({ caller, body }) {
      await sandboxOf(caller).injectFault(body.fault);
      return await sandboxOf(caller).view();
    },
    async "POST /api/demo/faults/clear"({ caller }) {
      await sandboxOf(caller).clearFaults();
      return await sandboxOf(caller).view();
    },
    async "POST /api/demo/reset"({ caller }) {
      await sandboxOf(caller).reset();
      return await sandboxOf(caller).view();
    },
  };
}
