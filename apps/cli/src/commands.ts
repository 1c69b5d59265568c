import type { RuleVerdict, TrustLevel } from "@bron/protocol";
import type { Config, ConfigProblem } from "./config.ts";
import type { CommandContext } from "./command-context.ts";
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

/** Every command, with parsed arguments. */
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
  listUnconfirmed(options: Json): Promise<ExitCode>;
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
  resetSandbox(options: Json): Promise<ExitCode>;
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

/** Loads each command on first use, so that help and usage errors load no database and no model. */
export function createCommands(terminal: Terminal, settings: Settings): Commands {
  /** Loads the settings first, so that a wrong setting is reported before the command is loaded. */
  const through = async (use: (context: CommandContext) => Promise<ExitCode>) =>
    await use({ terminal, config: settings.load() });
  return {
    statusWords,
    start: (options) =>
      through(
        async (context) => await (await import("./commands/start.ts")).start(context, options),
      ),
    worker: (options) =>
      through(
        async (context) => await (await import("./commands/worker.ts")).work(context, options),
      ),
    open: (options) =>
      through(
        async (context) => await (await import("./commands/open.ts")).openPage(context, options),
      ),
    run: (task, options) =>
      through(
        async (context) =>
          await (await import("./commands/run.ts")).runTask(context, task, options),
      ),
    listRuns: (options) =>
      through(
        async (context) => await (await import("./commands/runs.ts")).listRuns(context, options),
      ),
    showRun: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/runs.ts")).showRunDetails(context, id, options),
      ),
    cancelRun: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/cancel-run.ts")).cancelRun(context, id, options),
      ),
    retryRun: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/retry-run.ts")).retryRun(context, id, options),
      ),
    listApprovals: (options) =>
      through(
        async (context) =>
          await (await import("./commands/approvals.ts")).listApprovals(context, options),
      ),
    showApproval: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/approvals.ts")).showApproval(context, id, options),
      ),
    decide: (verdict, id, options) =>
      through(
        async (context) =>
          await (
            await import("./commands/decide-approval.ts")
          ).decideApproval(context, verdict, id, options),
      ),
    undoApproval: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/undo-approval.ts")).undoApproval(context, id, options),
      ),
    decideMany: (options) =>
      through(
        async (context) =>
          await (await import("./commands/decide-many.ts")).decideMany(context, options),
      ),
    approveSend: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/decide-many.ts")).approveSend(context, id, options),
      ),
    stop: (options) =>
      through(
        async (context) => await (await import("./commands/stop.ts")).stopAll(context, options),
      ),
    listUnconfirmed: (options) =>
      through(
        async (context) =>
          await (await import("./commands/effects.ts")).listUnconfirmed(context, options),
      ),
    settleEffect: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/effects.ts")).settleEffect(context, id, options),
      ),
    showAudit: (options) =>
      through(
        async (context) => await (await import("./commands/audit.ts")).showAudit(context, options),
      ),
    exportAudit: (options) =>
      through(
        async (context) =>
          await (await import("./commands/audit.ts")).exportAudit(context, options),
      ),
    createToken: (name, options) =>
      through(
        async (context) =>
          await (await import("./commands/tokens.ts")).createToken(context, name, options),
      ),
    listTokens: (options) =>
      through(
        async (context) =>
          await (await import("./commands/tokens.ts")).listTokens(context, options),
      ),
    revokeToken: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/tokens.ts")).revokeToken(context, id, options),
      ),
    showPermissions: (options) =>
      through(
        async (context) =>
          await (await import("./commands/permissions.ts")).showPermissions(context, options),
      ),
    setTrust: (level, options) =>
      through(
        async (context) =>
          await (await import("./commands/permissions.ts")).setTrust(context, level, options),
      ),
    putRule: (tool, verdict, options) =>
      through(
        async (context) =>
          await (
            await import("./commands/permissions.ts")
          ).putRule(context, tool, verdict, options),
      ),
    allowPerson: (value, options) =>
      through(
        async (context) =>
          await (await import("./commands/permissions.ts")).allowPerson(context, value, options),
      ),
    giveGrant: (tool, recipient, options) =>
      through(
        async (context) =>
          await (
            await import("./commands/permissions.ts")
          ).giveGrant(context, tool, recipient, options),
      ),
    removePermission: (id, options) =>
      through(
        async (context) =>
          await (await import("./commands/permissions.ts")).removePermission(context, id, options),
      ),
    demo: (options) =>
      through(
        async (context) => await (await import("./commands/demo.ts")).runDemo(context, options),
      ),
    connect: (provider, options) =>
      through(
        async (context) =>
          await (await import("./commands/connect.ts")).connectAccount(context, provider, options),
      ),
    resetSandbox: (options) =>
      through(
        async (context) =>
          await (await import("./commands/sandbox.ts")).resetSandbox(context, options),
      ),
    backup: (path, options) =>
      through(
        async (context) =>
          await (await import("./commands/backup.ts")).backup(context, path, options),
      ),
    restore: (path, options) =>
      through(
        async (context) =>
          await (await import("./commands/backup.ts")).restore(context, path, options),
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
