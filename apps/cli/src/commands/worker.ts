import { omitUndefined } from "@bron/protocol";
import { BronError, messageOf } from "@bron/core";
import { createMetrics, createServer, type BronServer, type Metrics } from "@bron/server";
import { randomUUID } from "node:crypto";
import { withBron, type OpenRuntime } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Log } from "../log/log.ts";
import { openLog } from "../log/open-log.ts";
import { ownerId } from "../owner.ts";
import { json, line, note } from "../terminal.ts";
import { untilStopped } from "../until-stopped.ts";

/** One more worker on a database that several machines share, until it is told to stop. */
export async function work(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { config } = context;
  if (config.databaseUrl === undefined) {
    throw new BronError(
      "config_invalid",
      "DATABASE_URL is not set: a worker joins a Postgres that it shares with others.",
      {
        details: {
          hint: "Set DATABASE_URL and BRON_SECRET_KEY as on the other machines. On one machine alone, bron start is server and worker in one.",
        },
      },
    );
  }
  const log = await openLog(context);
  const metrics = createMetrics();
  return await withBron<ExitCode>(
    context,
    { work: "sweep", log, onRuntimeEvent: metrics.runtimeEvent },
    async (open) => {
      const probes = await openProbes(context, { runtime: open.runtime, log, metrics });
      try {
        return await stay(open, { log, url: probes?.url, asJson: options.json === true });
      } finally {
        await probes?.close();
      }
    },
  );
}

async function stay(
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
    if (url !== undefined) line(terminal, `Probes and figures are on ${url}`);
    if (isDemo) line(terminal, "Demo model: no key is set, so a scripted model plans.");
  }
  await untilStopped(terminal);
  note(terminal, "Stopping; runs under way are kept.");
  return 0;
}

/** For whoever looks after workers; a worker is asked for nothing else. */
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
