import { BronError } from "@bron/core";
import { withBron } from "../compose.ts";
import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { json, line, note } from "../terminal.ts";
import { untilStopped } from "../until-stopped.ts";

/** One more worker on a database that several machines share, until it is told to stop. */
export async function work(door: Door, options: { readonly json?: boolean }): Promise<ExitCode> {
  const { terminal, config } = door;
  if (config.databaseUrl === undefined) {
    throw new BronError("config_invalid", "DATABASE_URL is not set: a worker joins a Postgres that it shares with others.", {
      details: { hint: "Set DATABASE_URL and BRON_SECRET_KEY as on the other machines. On one machine alone, bron start is server and worker in one." },
    });
  }
  return await withBron<ExitCode>(door, { work: "sweep" }, async ({ bron, modelName, isDemo }) => {
    if (terminal.stop.aborted) return 0;
    if (options.json === true) json(terminal, { ready: true, worker: bron.workerName, model: modelName, demo: isDemo, pid: process.pid });
    else {
      line(terminal, `Worker ${bron.workerName} is ready`);
      if (isDemo) line(terminal, "Demo model: no key is set, so a scripted model plans.");
    }
    await untilStopped(terminal);
    note(terminal, "Stopping; runs under way are kept.");
    return 0;
  });
}
