import { BronError } from "@bron/core";
import { demoViewSchema, type DemoFault } from "@bron/protocol";
import type { Sandbox } from "@bron/runtime";
import type { Runtime } from "@bron/runtime";
import type { Config } from "../config.ts";
import { connectDemo } from "./connect-demo.ts";
import type { SimulatorEntry } from "./shared-simulator.ts";

const changes = ["gmail.users.drafts.send", "calendar.events.insert", "calendar.events.patch"];
const google = ["gmail.*", "calendar.*"];

/** The fault rule of the simulator for each switch. `sign_in_expired` uses a separate control. */
const rules: Readonly<Record<Exclude<DemoFault, "sign_in_expired">, object>> = {
  google_down: { method: google, kind: "status", status: 503, times: 5 },
  answer_lost: { method: changes, kind: "cut", when: "after" },
  request_lost: { method: changes, kind: "cut", when: "before" },
  google_slow: { method: google, kind: "slow", ms: 4_000, times: 5 },
  rate_limited: {
    method: [...google, "slack.*"],
    kind: "status",
    status: 429,
    retryAfterSeconds: 2,
    times: 3,
  },
  slack_down: { method: "slack.*", kind: "status", status: 503, times: 5 },
};

interface SandboxDeps {
  readonly runtime: Pick<Runtime, "connections" | "oauthClients">;
  readonly config: Pick<Config, "home">;
  readonly simulator: Pick<SimulatorEntry, "url" | "controlKey">;
}

/** The sandbox of this home, through the control API of its simulator. */
export function sandbox({ runtime, config, simulator }: SandboxDeps): Sandbox {
  const control = async (name: string, body?: object): Promise<unknown> => {
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${simulator.url}/_control/${name}`, {
      ...request,
      headers: { "x-control-key": simulator.controlKey },
    }).catch(() => undefined);
    if (response?.ok !== true)
      throw new BronError(
        "server_unreachable",
        "The sandbox isn't responding. Try again in a moment.",
      );
    return await response.json();
  };
  return {
    view: async (account) =>
      demoViewSchema.parse(
        await control(
          account === undefined ? "view" : `view?account=${encodeURIComponent(account)}`,
        ),
      ),
    async injectFault(fault) {
      if (fault === "sign_in_expired") await control("revoke", {});
      else await control("faults", rules[fault]);
    },
    clearFaults: async () => void (await control("faults/clear", {})),
    async reset() {
      await control("reset", {});
      await connectDemo(runtime, config, { again: true });
    },
  };
}
