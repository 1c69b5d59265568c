import type { RuleVerdict, TrustLevel } from "@bron/protocol";
import type { Config, ConfigProblem } from "./config.ts";
import type { Door } from "./door.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";
import type { CommandTree } from "./completion/command-tree.ts";
import type { AuditOptions } from "./commands/audit.ts";
import type { DecideOptions, Verdict } from "./commands/decide-approval.ts";
import type { BatchOptions, SendOptions } from "./commands/decide-many.ts";
import type { DemoOptions } from "./commands/demo.ts";
import type { RetryOptions } from "./commands/retry-run.ts";
import type { RunOptions } from "./commands/run.ts";
import type { ListOptions } from "./commands/runs.ts";
import type { SettleOptions } from "./commands/effects.ts";
import type { StopOptions } from "./commands/stop.ts";
import type { TokenOptions } from "./commands/tokens.ts";
import type { Shell } from "./shells.ts";
import { statusWords } from "./status-words.ts";

interface Json {
  readonly json?: boolean;
}

/** What the arguments can ask for. */
export interface Commands {
  readonly statusWords: readonly string[];
  start(options: Json): Promise<ExitCode>;
  worker(options: Json): Promise<ExitCode>;
  open(options: Json): Promise<ExitCode>;
  run(task: string, options: RunOptions): Promise<ExitCode>;
  listRuns(options: ListOptions): Promise<ExitCode>;
  showRun(id: string, options: Json): Promise<ExitCode>;
  cancelRun(id: string, options: Json & { readonly reason?: string }): Promise<ExitCode>;
  retryRun(id: string, options: RetryOptions): Promise<ExitCode>;
  listApprovals(options: Json & { readonly all?: boolean }): Promise<ExitCode>;
  showApproval(id: string, options: Json): Promise<ExitCode>;
  decide(verdict: Verdict, id: string, options: DecideOptions): Promise<ExitCode>;
  undoApproval(id: string, options: Json): Promise<ExitCode>;
  decideMany(options: BatchOptions): Promise<ExitCode>;
  approveSend(id: string, options: SendOptions): Promise<ExitCode>;
  stop(options: StopOptions): Promise<ExitCode>;
  listInDoubt(options: Json): Promise<ExitCode>;
  settleEffect(id: string, options: SettleOptions): Promise<ExitCode>;
  showAudit(options: AuditOptions): Promise<ExitCode>;
  exportAudit(options: AuditOptions): Promise<ExitCode>;
  createToken(name: string, options: TokenOptions): Promise<ExitCode>;
  listTokens(options: Json): Promise<ExitCode>;
  revokeToken(id: string, options: Json): Promise<ExitCode>;
  showPermissions(options: Json): Promise<ExitCode>;
  setTrust(level: TrustLevel, options: Json): Promise<ExitCode>;
  putRule(tool: string, verdict: RuleVerdict, options: Json): Promise<ExitCode>;
  allowPerson(value: string, options: Json): Promise<ExitCode>;
  giveGrant(
    tool: string,
    recipient: string,
    options: Json & { readonly days: number },
  ): Promise<ExitCode>;
  removePermission(id: string, options: Json): Promise<ExitCode>;
  demo(options: DemoOptions): Promise<ExitCode>;
  connect(provider: string, options: Json): Promise<ExitCode>;
  resetWorld(options: Json): Promise<ExitCode>;
  backup(path: string, options: Json): Promise<ExitCode>;
  restore(path: string, options: Json): Promise<ExitCode>;
  doctor(options: Json): Promise<ExitCode>;
  completion(shell: Shell, program: CommandTree, options: Json): Promise<ExitCode>;
}

export interface Settings {
  /** Throws config_invalid. */
  load(): Config;
  read(): { readonly config: Config; readonly problems: readonly ConfigProblem[] };
}

/** Each command is loaded when it is called: help and usage errors need neither database nor models. */
export function createCommands(terminal: Terminal, settings: Settings): Commands {
  /** The settings come first: what is wrong with them is said at once. */
  const through = async (use: (door: Door) => Promise<ExitCode>) =>
    await use({ terminal, config: settings.load() });
  return {
    statusWords,
    start: (options) =>
      through(async (door) => await (await import("./commands/start.ts")).start(door, options)),
    worker: (options) =>
      through(async (door) => await (await import("./commands/worker.ts")).work(door, options)),
    open: (options) =>
      through(async (door) => await (await import("./commands/open.ts")).openPage(door, options)),
    run: (task, options) =>
      through(
        async (door) => await (await import("./commands/run.ts")).runTask(door, task, options),
      ),
    listRuns: (options) =>
      through(async (door) => await (await import("./commands/runs.ts")).listRuns(door, options)),
    showRun: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/runs.ts")).showRunDetails(door, id, options),
      ),
    cancelRun: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/cancel-run.ts")).cancelRun(door, id, options),
      ),
    retryRun: (id, options) =>
      through(
        async (door) => await (await import("./commands/retry-run.ts")).retryRun(door, id, options),
      ),
    listApprovals: (options) =>
      through(
        async (door) =>
          await (await import("./commands/approvals.ts")).listApprovals(door, options),
      ),
    showApproval: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/approvals.ts")).showApproval(door, id, options),
      ),
    decide: (verdict, id, options) =>
      through(
        async (door) =>
          await (
            await import("./commands/decide-approval.ts")
          ).decideApproval(door, verdict, id, options),
      ),
    undoApproval: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/undo-approval.ts")).undoApproval(door, id, options),
      ),
    decideMany: (options) =>
      through(
        async (door) => await (await import("./commands/decide-many.ts")).decideMany(door, options),
      ),
    approveSend: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/decide-many.ts")).approveSend(door, id, options),
      ),
    stop: (options) =>
      through(async (door) => await (await import("./commands/stop.ts")).stopAll(door, options)),
    listInDoubt: (options) =>
      through(
        async (door) => await (await import("./commands/effects.ts")).listInDoubt(door, options),
      ),
    settleEffect: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/effects.ts")).settleEffect(door, id, options),
      ),
    showAudit: (options) =>
      through(async (door) => await (await import("./commands/audit.ts")).showAudit(door, options)),
    exportAudit: (options) =>
      through(
        async (door) => await (await import("./commands/audit.ts")).exportAudit(door, options),
      ),
    createToken: (name, options) =>
      through(
        async (door) =>
          await (await import("./commands/tokens.ts")).createToken(door, name, options),
      ),
    listTokens: (options) =>
      through(
        async (door) => await (await import("./commands/tokens.ts")).listTokens(door, options),
      ),
    revokeToken: (id, options) =>
      through(
        async (door) => await (await import("./commands/tokens.ts")).revokeToken(door, id, options),
      ),
    showPermissions: (options) =>
      through(
        async (door) =>
          await (await import("./commands/permissions.ts")).showPermissions(door, options),
      ),
    setTrust: (level, options) =>
      through(
        async (door) =>
          await (await import("./commands/permissions.ts")).setTrust(door, level, options),
      ),
    putRule: (tool, verdict, options) =>
      through(
        async (door) =>
          await (await import("./commands/permissions.ts")).putRule(door, tool, verdict, options),
      ),
    allowPerson: (value, options) =>
      through(
        async (door) =>
          await (await import("./commands/permissions.ts")).allowPerson(door, value, options),
      ),
    giveGrant: (tool, recipient, options) =>
      through(
        async (door) =>
          await (
            await import("./commands/permissions.ts")
          ).giveGrant(door, tool, recipient, options),
      ),
    removePermission: (id, options) =>
      through(
        async (door) =>
          await (await import("./commands/permissions.ts")).removePermission(door, id, options),
      ),
    demo: (options) =>
      through(async (door) => await (await import("./commands/demo.ts")).runDemo(door, options)),
    connect: (provider, options) =>
      through(
        async (door) =>
          await (await import("./commands/connect.ts")).connectAccount(door, provider, options),
      ),
    resetWorld: (options) =>
      through(
        async (door) => await (await import("./commands/world.ts")).resetWorld(door, options),
      ),
    backup: (path, options) =>
      through(
        async (door) => await (await import("./commands/backup.ts")).backup(door, path, options),
      ),
    restore: (path, options) =>
      through(
        async (door) => await (await import("./commands/backup.ts")).restore(door, path, options),
      ),
    completion: async (shell, program, options) =>
      (await import("./commands/completion.ts")).printCompletion(terminal, shell, {
        program,
        json: options.json === true,
      }),
    async doctor(options) {
      const { config, problems } = settings.read();
      return await (
        await import("./commands/doctor.ts")
      ).examine({ terminal, config }, problems, options);
    },
  };
}
