import { BronError } from "@bron/core";
import type { Bron } from "bron";
import type { On } from "../door.ts";
import type { Metrics } from "../operations/metrics.ts";

export interface MetricsRoutesParts {
  readonly bron: Pick<Bron, "load">;
  /** Of this machine. */
  readonly ownerId: string;
  readonly metrics: Metrics | undefined;
  readonly openStreams: () => number;
}

export function addMetricsRoutes(
  on: On,
  { bron, ownerId, metrics, openStreams }: MetricsRoutesParts,
): void {
  on("GET /metrics", async ({ caller, c }) => {
    // They are about everybody's runs, so whoever merely uses this server does not get them.
    if (caller.ownerId !== ownerId)
      throw new BronError("forbidden", "Only the owner of this machine gets its figures.");
    if (!metrics) throw new BronError("not_found", "This server keeps no figures.");
    return c.body(await metrics.text({ load: bron.load, openStreams: openStreams() }), 200, {
      "content-type": metrics.contentType,
    });
  });
}
