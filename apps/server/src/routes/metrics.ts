import { BronError } from "@bron/core";
import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";
import type { Metrics } from "../operations/metrics.ts";

interface MetricsRoutesDeps {
  readonly runtime: Pick<Runtime, "load">;
  /** The owner of this machine. */
  readonly ownerId: string;
  readonly metrics: Metrics | undefined;
  readonly openStreams: () => number;
}

export function addMetricsRoutes(
  on: On,
  { runtime, ownerId, metrics, openStreams }: MetricsRoutesDeps,
): void {
  on("GET /metrics", async ({ caller, c }) => {
    // The metrics cover the runs of all owners, so only the owner of the machine may read them.
    if (caller.ownerId !== ownerId)
      throw new BronError("forbidden", "Only the owner of this server can read its metrics.");
    if (!metrics) throw new BronError("not_found", "This server has no metrics.");
    return c.body(await metrics.text({ load: runtime.load, openStreams: openStreams() }), 200, {
      "content-type": metrics.contentType,
    });
  });
}
