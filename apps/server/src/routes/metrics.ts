import { BronError } from "@bron/core";
import type { Runtime } from "bron";
import type { On } from "../register-endpoint.ts";
import type { Metrics } from "../operations/metrics.ts";

export interface MetricsRoutesDeps {
  readonly runtime: Pick<Runtime, "load">;
  /** Of this machine. */
  readonly ownerId: string;
  readonly metrics: Metrics | undefined;
  readonly openStreams: () => number;
}

export function addMetricsRoutes(
  on: On,
  { runtime, ownerId, metrics, openStreams }: MetricsRoutesDeps,
): void {
  on("GET /metrics", async ({ caller, c }) => {
    // They are about everybody's runs, so whoever merely uses this server does not get them.
    if (caller.ownerId !== ownerId)
      throw new BronError("forbidden", "Only the owner of this machine gets its figures.");
    if (!metrics) throw new BronError("not_found", "This server keeps no figures.");
    return c.body(await metrics.text({ load: runtime.load, openStreams: openStreams() }), 200, {
      "content-type": metrics.contentType,
    });
  });
}
