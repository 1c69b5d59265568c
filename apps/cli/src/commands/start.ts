import { BronError } from "@bron/core";
import { randomUUID } from "node:crypto";
import { openBron, type OpenBron } from "../compose.ts";
import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { ensureFolder } from "../home-folder.ts";
import { claimHome } from "../server/home-claim.ts";
import { readOverview } from "../server/runs-overview.ts";
import { renderStatusPage } from "../server/status-page.ts";
import { addressOf, startStatusServer } from "../server/status-server.ts";
import { json, line, note } from "../terminal.ts";
import { untilStopped } from "../until-stopped.ts";
import { version } from "../version.ts";

/** Server, worker and database in one, until it is told to stop. What was begun is undone in reverse, whatever fails. */
export async function start(door: Door, options: { readonly json?: boolean }): Promise<ExitCode> {
  const undo: (() => Promise<void>)[] = [];
  try {
    return await serve(door, options.json === true, (step) => undo.push(step));
  } finally {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  }
}

async function serve(door: Door, asJson: boolean, defer: (step: () => Promise<void>) => void): Promise<ExitCode> {
  const { terminal, config } = door;
  const id = randomUUID();
  await ensureFolder(config.home);
  const claim = await claimHome(config.home, { id, pid: process.pid, url: addressOf(config.host, config.port), startedAt: terminal.now().toISOString() });
  defer(claim.release);

  const state: { started?: OpenBron } = {};
  const server = await startStatusServer({
    host: config.host,
    port: config.port,
    serverId: id,
    checkReady: async () => {
      if (!state.started) throw new BronError("database_unreachable", "Bron is still starting.");
      await state.started.bron.ping();
    },
    renderPage: () => page(door, state.started),
  });
  defer(server.close);
  await claim.update(server.url);

  const open = await openBron(door, { work: "sweep" });
  defer(open.close);
  state.started = open;
  if (terminal.stop.aborted) return 0;

  if (asJson) json(terminal, { ready: true, url: server.url, model: open.modelName, demo: open.isDemo, worker: open.bron.workerName, pid: process.pid });
  else {
    line(terminal, `Bron is ready on ${server.url}`);
    if (open.isDemo) line(terminal, "Demo model: no key is set, so a scripted model plans. It does sums, times, notes and board posts; GEMINI_API_KEY or ANTHROPIC_API_KEY brings a real one.");
    note(terminal, 'Give it a task from another terminal: bron run "What is 17% of 2340?"   Ctrl-C stops it.');
  }
  await untilStopped(terminal);
  note(terminal, "Stopping; runs under way are kept.");
  return 0;
}

async function page({ terminal }: Door, started: OpenBron | undefined): Promise<string> {
  const base = { version, now: terminal.now(), worker: started?.bron.workerName ?? "starting", model: started?.modelName ?? "starting", isDemo: started?.isDemo ?? false };
  if (!started) return renderStatusPage({ ...base, database: "starting", overview: undefined });
  const overview = await readOverview(started.bron).catch(() => undefined);
  return renderStatusPage({ ...base, database: overview ? "ready" : "not answering", overview });
}
