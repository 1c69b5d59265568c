import { messageOf } from "@bron/core";
import { findLocalModels } from "@bron/models";
import { addressOf, checkPort, createMetrics, createServer, type BronServer } from "@bron/server";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openRuntime, type OpenRuntime } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { ensureHome } from "@bron/files";
import { openLog } from "../log/open-log.ts";
import { ownerId } from "../owner.ts";
import { claimHome } from "../server/home-claim.ts";
import { readOverview } from "../server/runs-overview.ts";
import { renderStatusPage } from "../server/status-page.ts";
import { hint, json, line, note, type Terminal } from "../terminal.ts";
import { untilStopped } from "../until-stopped.ts";
import { demoTasks } from "../sandbox/demo-tasks.ts";
import { sandbox } from "../sandbox/sandbox.ts";
import { version } from "../version.ts";

/** The web app, built by `npm start`. Without it the server shows the plain status page. */
const webRoot = fileURLToPath(new URL("../../../web/dist", import.meta.url));

/**
 * Runs server, worker and database until the process is asked to stop. Cleans up in reverse order,
 * also after a failure.
 */
export async function start(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const cleanups: (() => Promise<void>)[] = [];
  try {
    return await serve(context, options.json === true, (cleanup) => cleanups.push(cleanup));
  } finally {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  }
}

async function serve(
  context: CommandContext,
  asJson: boolean,
  defer: (cleanup: () => Promise<void>) => void,
): Promise<ExitCode> {
  const { config } = context;
  const log = await openLog(context);
  const { terminal } = log;
  const metrics = createMetrics();
  const id = randomUUID();
  await ensureHome(config.home);
  const claim = await claimHome(config.home, {
    id,
    pid: process.pid,
    url: addressOf(config.host, config.port),
    startedAt: terminal.now().toISOString(),
  });
  defer(claim.release);

  await checkPort(config.host, config.port);
  const open = await openRuntime(context, {
    work: "sweep",
    log,
    onRuntimeEvent: metrics.runtimeEvent,
  });
  defer(open.close);
  const server = await createServer({
    runtime: open.runtime,
    ownerId,
    host: config.host,
    port: config.port,
    serverId: id,
    ...config.server,
    about: {
      version,
      demoMail: open.simulator !== undefined,
      demoModel: open.isDemo,
      model: open.modelName,
      suggestions: open.simulator ? demoTasks(open.simulator) : [],
    },
    ...(open.simulator
      ? { demo: sandbox({ runtime: open.runtime, config, simulator: open.simulator }) }
      : {}),
    findLocalModels: () => findLocalModels(config.localModels),
    ...(existsSync(webRoot) ? { webRoot } : {}),
    renderHome: () => renderPage(context, open),
    metrics,
    onRequest: log.request,
    onProblem: (message, error) => log.problem(`${message}: ${messageOf(error)}`, error),
  });
  defer(server.close);
  await claim.update(server.url);
  if (terminal.stop.aborted) return 0;

  if (asJson) printReadyAsJson(terminal, server, open);
  else printReady(terminal, server, open);
  await untilStopped(terminal);
  note(terminal, "Stopping. Running tasks will resume next time.");
  return 0;
}

function printReadyAsJson(
  terminal: Terminal,
  { url }: BronServer,
  { runtime, modelName, isDemo }: OpenRuntime,
): void {
  json(terminal, {
    ready: true,
    url,
    model: modelName,
    demo: isDemo,
    worker: runtime.workerName,
    pid: process.pid,
  });
}

function printReady(
  terminal: Terminal,
  { url, signInLink }: BronServer,
  { isDemo, simulator }: OpenRuntime,
): void {
  line(terminal, `Bron is ready: ${url}`);
  line(terminal, `Sign in: ${signInLink()} (one-time link, expires in 10 minutes)`);
  if (isDemo)
    line(
      terminal,
      "Demo mode: no model key found. Set GEMINI_API_KEY or ANTHROPIC_API_KEY to use a real model.",
    );
  if (simulator)
    line(
      terminal,
      `Demo accounts: email, calendar and Slack are simulated. ${existsSync(webRoot) ? `View them at ${url}/demo` : "Run npm start to build the page that shows them."}`,
    );
  hint(
    terminal,
    `Try it in another terminal: ${simulator ? "bron demo" : 'bron run "What is 17% of 2340?"'}\nPress Ctrl-C to stop.`,
  );
}

async function renderPage(
  { terminal }: CommandContext,
  { runtime, modelName: model, isDemo }: OpenRuntime,
): Promise<string> {
  const overview = await readOverview(runtime).catch(() => undefined);
  return renderStatusPage({
    version,
    now: terminal.now(),
    worker: runtime.workerName,
    model,
    isDemo,
    database: overview ? "ready" : "not responding",
    overview,
  });
}
