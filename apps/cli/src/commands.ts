import type { Config, ConfigProblem } from "./config.ts";
import type { Door } from "./door.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";
import type { DecideOptions } from "./commands/decide-approval.ts";
import type { RunOptions } from "./commands/run.ts";
import type { ListOptions } from "./commands/runs.ts";
import { statusWords } from "./status-words.ts";

interface Json {
  readonly json?: boolean;
}

/** What the arguments can ask for. */
export interface Commands {
  readonly statusWords: readonly string[];
  start(options: Json): Promise<ExitCode>;
  worker(options: Json): Promise<ExitCode>;
  run(task: string, options: RunOptions): Promise<ExitCode>;
  listRuns(options: ListOptions): Promise<ExitCode>;
  showRun(id: string, options: Json): Promise<ExitCode>;
  cancelRun(id: string, options: Json & { readonly reason?: string }): Promise<ExitCode>;
  listApprovals(options: Json & { readonly all?: boolean }): Promise<ExitCode>;
  showApproval(id: string, options: Json): Promise<ExitCode>;
  decide(verdict: "approve" | "deny", id: string, options: DecideOptions): Promise<ExitCode>;
  doctor(options: Json): Promise<ExitCode>;
}

export interface Settings {
  /** Throws config_invalid. */
  load(): Config;
  read(): { readonly config: Config; readonly problems: readonly ConfigProblem[] };
}

/** Each command is loaded when it is called: help and usage errors need neither database nor models. */
export function createCommands(terminal: Terminal, settings: Settings): Commands {
  const door = (): Door => ({ terminal, config: settings.load() });
  return {
    statusWords,
    start: async (options) => await (await import("./commands/start.ts")).start(door(), options),
    worker: async (options) => await (await import("./commands/worker.ts")).work(door(), options),
    run: async (task, options) => await (await import("./commands/run.ts")).runTask(door(), task, options),
    listRuns: async (options) => await (await import("./commands/runs.ts")).listRuns(door(), options),
    showRun: async (id, options) => await (await import("./commands/runs.ts")).showRunDetails(door(), id, options),
    cancelRun: async (id, options) => await (await import("./commands/cancel-run.ts")).cancelRun(door(), id, options),
    listApprovals: async (options) => await (await import("./commands/approvals.ts")).listApprovals(door(), options),
    showApproval: async (id, options) => await (await import("./commands/approvals.ts")).showApproval(door(), id, options),
    decide: async (verdict, id, options) => await (await import("./commands/decide-approval.ts")).decideApproval(door(), verdict, id, options),
    async doctor(options) {
      const { config, problems } = settings.read();
      return await (await import("./commands/doctor.ts")).examine({ terminal, config }, problems, options);
    },
  };
}
