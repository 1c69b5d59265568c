import type { Command } from "commander";
import { leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadStart = () => import("../commands/start.ts");
const loadWorker = () => import("../commands/worker.ts");
const loadOpen = () => import("../commands/open.ts");

export function addStartCommands(program: Command, { run }: Runner): void {
  leaf(
    program.command("start"),
    "Start Bron (server, worker and database)",
    "bron start\n  PORT=5000 BRON_HOME=./home bron start",
  ).action((options) => run(loadStart, (commands, context) => commands.start(context, options)));
  leaf(
    program.command("worker"),
    "Start an extra worker on a shared database (DATABASE_URL)",
    "DATABASE_URL=postgres://bron:...@db/bron BRON_SECRET_KEY=... bron worker",
  ).action((options) => run(loadWorker, (commands, context) => commands.work(context, options)));

  leaf(program.command("open"), "Print a sign-in link for your browser", "bron open").action(
    (options) => run(loadOpen, (commands, context) => commands.openPage(context, options)),
  );
}
