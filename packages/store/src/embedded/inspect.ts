import { messageOf } from "@bron/core";
import { assertSameMajor, readCluster } from "./cluster.ts";
import { connect } from "./connection.ts";
import { findLocation } from "./location.ts";
import { findPostmaster } from "./postmaster.ts";
import { type Environment } from "./environment.ts";

export interface EmbeddedPostgresReport {
  readonly state: "absent" | "stopped" | "running" | "broken";
  /** The version of the data, not of the programs. */
  readonly major?: string;
  readonly location?: string;
  readonly detail?: string;
}

/** Reports on the database of a home without changing it. Never throws. */
export async function inspectHome(
  environment: Environment,
  home: string,
): Promise<EmbeddedPostgresReport> {
  let report: Omit<EmbeddedPostgresReport, "state"> = {};
  try {
    const location = await findLocation(home, environment.systemFolder);
    if (location === undefined) return { state: "absent" };
    report = { location: location.folder };
    const cluster = await readCluster(location.folder);
    if (cluster === undefined) return { state: "absent" };
    report = { ...report, major: cluster.major };
    assertSameMajor(cluster, (await environment.findPackage()).major);

    const running = await findPostmaster(cluster.data);
    if (running === undefined) return { ...report, state: "stopped" };
    const name = `pid ${running.pid}`;
    const outcome =
      running.socketFolder === undefined ? undefined : await connect(running.socketFolder, cluster);
    if (outcome?.kind === "connected") {
      await outcome.client.end();
      return { ...report, state: "running", detail: name };
    }
    if (outcome?.kind !== "absent")
      return { ...report, state: "running", detail: `${name}, starting, stopping or busy` };
    return {
      ...report,
      state: "broken",
      detail: `${name} is running but unreachable in ${running.socketFolder ?? ""}; the next start restarts it`,
    };
  } catch (error) {
    return { ...report, state: "broken", detail: messageOf(error) };
  }
}
