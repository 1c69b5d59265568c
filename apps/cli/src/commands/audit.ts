import type { Client } from "@bron/client";
import { omitUndefined, type ActivityKind, type AuditFilter, type AuditView } from "@bron/protocol";
import { BronError } from "@bron/core";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { activityCells, activityHead } from "../render/activity.ts";
import { auditDetails } from "../render/audit-details.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { localTime } from "../render/time.ts";
import { json, line, note } from "../terminal.ts";

export interface AuditOptions {
  readonly run?: string;
  readonly what?: AuditFilter;
  readonly kind?: ActivityKind;
  readonly search?: string;
  readonly raw?: boolean;
  readonly limit: number;
  readonly json?: boolean;
}

/** One row for each action, or with `--raw` or `--what` each entry. */
export async function showAudit(context: CommandContext, options: AuditOptions): Promise<ExitCode> {
  if (options.raw !== true && options.what === undefined)
    return await showActivity(context, options);
  if (options.kind !== undefined || options.search !== undefined)
    throw new BronError(
      "invalid_input",
      "--kind and --search show one row for each action, so they don't go with --raw and --what.",
    );
  return await showEntries(context, options);
}

async function showActivity(
  context: CommandContext,
  { run, kind, search, limit, json: isJson }: AuditOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const activity = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.list("GET /api/activity", {
        limit,
        ...omitUndefined({ kind, search }),
        ...(await filterOf(client, { run })),
      }),
  );
  if (isJson === true) json(terminal, { activity });
  else if (activity.length === 0)
    line(
      terminal,
      run !== undefined || kind !== undefined || search !== undefined
        ? "No matching entries."
        : noEntries,
    );
  else
    for (const text of table(activityHead, activity.map(activityCells), terminal.columns))
      line(terminal, text);
  return 0;
}

const noEntries = "No entries yet. Changes made by runs, and your approvals, appear here.";

async function showEntries(context: CommandContext, options: AuditOptions): Promise<ExitCode> {
  const { terminal } = context;
  const audit = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.list("GET /api/audit", {
        limit: options.limit,
        ...(await filterOf(client, options)),
      }),
  );
  if (options.json === true) json(terminal, { audit });
  else if (audit.length === 0)
    line(terminal, isFiltered(options) ? "No matching entries." : noEntries);
  else
    for (const text of table(
      ["WHEN", "WHO", "WHAT", "TOOL", "RUN", "DETAILS"],
      audit.map(cellsOf),
      terminal.columns,
    ))
      line(terminal, text);
  return 0;
}

/** Writes JSON Lines to standard output, newest first. */
export async function exportAudit(
  context: CommandContext,
  options: Omit<AuditOptions, "limit">,
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime<ExitCode>(context, { work: "none" }, async ({ client }) => {
    let count = 0;
    for await (const row of client.auditRows(await filterOf(client, options))) {
      json(terminal, row);
      count++;
      if (terminal.stop.aborted) return 130;
    }
    note(
      terminal,
      count === 0
        ? "No entries to export."
        : `Exported ${count} ${count === 1 ? "entry" : "entries"}.`,
    );
    return 0;
  });
}

async function filterOf(
  client: Client,
  { run, what }: { readonly run?: string | undefined; readonly what?: AuditFilter | undefined },
): Promise<{ runId?: string; what?: AuditFilter }> {
  return omitUndefined({
    runId: run === undefined ? undefined : (await findRun(client, run)).id,
    what,
  });
}

function isFiltered({ run, what }: AuditOptions): boolean {
  return run !== undefined || what !== undefined;
}

function cellsOf(row: AuditView): string[] {
  const { at, by, what, tool, runId } = row;
  return [
    localTime(at),
    by,
    what,
    tool ?? "",
    runId === null ? "" : shortId(runId),
    auditDetails(row),
  ];
}
