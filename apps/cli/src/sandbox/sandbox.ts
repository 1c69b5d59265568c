import { BronError } from "@bron/core";
import { demoViewSchema, type DemoFault } from "@bron/protocol";
import type { Sandbox } from "@bron/server";
import type { Runtime } from "bron";
import type { Config } from "../config.ts";
import { connectDemo } from "./connect-demo.ts";
import type { SimulatorEntry } from "./shared-simulator.ts";

const changes = ["gmail.users.drafts.send", "calendar.events.insert", "calendar.events.patch"];
const google = ["gmail.*", "calendar.*"];

/** What each switch does: a rule of the world, or a control of its own. */
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
  readonly runtime: Pick<Runtime, "connections">;
  readonly config: Pick<Config, "home" | "slack">;
  readonly simulator: Pick<SimulatorEntry, "url" | "controlKey">;
}

/** The simulated outside of this home, through its own door for tests. */
export function sandbox({ runtime, config, simulator }: SandboxDeps): Sandbox {
  const ask = async (name: string, body?: object): Promise<unknown> => {
    const how = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${simulator.url}/_control/${name}`, {
      ...how,
      headers: { "x-control-key": simulator.controlKey },
    }).catch(() => undefined);
    if (answer?.ok !== true)
      throw new BronError(
        "server_unreachable",
        "The simulated world does not answer. Try again in a moment.",
      );
    return await answer.json();
  };
  return {
    view: async (account) =>
      demoViewSchema.parse(
        await ask(account === undefined ? "view" : `view?account=${encodeURIComponent(account)}`),
      ),
    async injectFault(fault) {
      if (fault === "sign_in_expired") await ask("revoke", {});
      else await ask("faults", rules[fault]);
    },
    clearFaults: async () => void (await ask("faults/clear", {})),
    async reset() {
      await ask("reset", {});
      await connectDemo(runtime, config, { again: true });
    },
  };
}
