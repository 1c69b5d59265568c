import type { MemoryStore } from "@bron/memory-store";
import { defaultCaps, omitUndefined, type Caps } from "@bron/protocol";
import { createRuntime, type Runtime } from "@bron/runtime";
import { actionTools } from "./action-tools.ts";
import { pageTools } from "./page-tools.ts";
import type { ExchangeOptions } from "./exchange-options.ts";

const defaultSteps = 20;
const callsPerStep = 4;

/** A runtime with the tools of this page and this site, and nothing of the owner. */
export async function openPageRuntime(
  options: ExchangeOptions,
  store: MemoryStore,
): Promise<Runtime> {
  const { site, visitor, secretKey, auxiliaryRequests, lightModel } = options;
  const tools = pageTools(options.tools);
  const runtime = await createRuntime({
    store,
    secretKey,
    model: site.model,
    tools: actionTools(site.actions, { site: site.name, visitor }),
    toolSources: [{ toolsFor: () => Promise.resolve(tools) }],
    caps: capsOf(options),
    work: "own",
    ...omitUndefined({ auxiliaryRequests, lightModel }),
  });
  runtime.onDelta((delta) => {
    if (delta.kind === "text") options.onText(delta.delta);
  });
  return runtime;
}

function capsOf({ site, costMicrousd }: ExchangeOptions): Caps {
  const { steps = defaultSteps } = site.caps;
  return {
    ...defaultCaps,
    modelTurns: steps,
    toolCalls: steps * callsPerStep,
    children: 0,
    ...omitUndefined({ costMicrousd }),
  };
}
