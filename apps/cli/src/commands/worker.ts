import { omitUndefined } from "@bron/protocol";
import { BronError, messageOf } from "@bron/core";
import { createMetrics, createServer, type BronServer, type Metrics } from "@bron/server";
import { randomUUID } from "node:crypto";
import { withRuntime, type OpenRuntime } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Log } from "../log/log.ts";
import { openLog } from "../log/open-log.ts";
import { ownerId } from "../owner.ts";
import { json, line, note } from "../terminal.ts";
import { untilStopped } from "../until-stopped.ts";

/** Runs an extra worker on a shared database until the process is asked to stop. */
export async function work(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { config } = context;
  if (config.databaseUrl === undefined) {
    throw new BronError("config_invalid", "DATABASE_URL is required for bron worker.", {
      details: {
        hint: "Set DATABASE_URL and BRON_SECRET_KEY to the same values as on the other machines. On a single machine, bron start runs server and worker together.",
      },
    });
  }
  const log = await openLog(context);
  const metrics = createMetrics();
  return await withRuntime<ExitCode>(
    context,
    { work: "sweep", log, onRuntimeEvent: metrics.runtimeEvent },
    async (open) => {
      const probes = await openProbes(context, { runtime: open.runtime, log, metrics });
      try {
        return await runUntilStopped(open, {
          log,
          url: probes?.url,
          asJson: options.json === true,
        });
      } finally {
        await probes?.close();
      }
    },
  );
}

async function runUntilStopped(
  { runtime, modelName, isDemo }: OpenRuntime,
  {
    log: { terminal },
    url,
    asJson,
  }: { readonly log: Log; readonly url: string | undefined; readonly asJson: boolean },
): Promise<ExitCode> {
  if (terminal.stop.aborted) return 0;
  if (asJson)
    json(terminal, {
      ready: true,
      worker: runtime.workerName,
      model: modelName,
      demo: isDemo,
      pid: process.pid,
      ...omitUndefined({ url }),
    });
  else {
    line(terminal, `Worker ${runtime.workerName} is ready`);
    if (url !== undefined) line(terminal, `Health checks and metrics: ${url}`);
    if (isDemo) line(terminal, "Demo mode: no model key found.");
  }
  await untilStopped(terminal);
  note(terminal, "Stopping. Other workers will resume its runs.");
  return 0;
}

/** Serves the health checks and metrics of this worker, and nothing else. */
async function openProbes(
  { config }: CommandContext,
  {
    runtime,
    log,
    metrics,
  }: { readonly runtime: OpenRuntime["runtime"]; readonly log: Log; readonly metrics: Metrics },
): Promise<BronServer | undefined> {
  if (config.workerPort === undefined) return undefined;
  return await createServer({
    ...config.server,
    runtime,
    ownerId,
    host: config.host,
    port: config.workerPort,
    serverId: randomUUID(),
    isWorker: true,
    metrics,
    onRequest: log.request,
    onProblem: (message, error) => log.problem(`${message}: ${messageOf(error)}`, error),
  });
}
