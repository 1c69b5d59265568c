import { BronError } from "@bron/core";
import { budgetNotice, omitUndefined, type BudgetChange, type BudgetView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { fields } from "../render/table.ts";
import { hint, json, line, note } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

interface SetOptions extends Json {
  readonly day?: number | "none";
  readonly month?: number | "none";
  readonly zone?: string;
}

export async function showBudget(context: CommandContext, options: Json): Promise<ExitCode> {
  const budget = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("GET /api/budget"),
  );
  print(context, budget, options);
  return 0;
}

export async function setBudget(
  context: CommandContext,
  { day, month, zone, ...options }: SetOptions,
): Promise<ExitCode> {
  if (day === undefined && month === undefined && zone === undefined)
    throw new BronError("invalid_input", "Give at least one of --day, --month and --zone.");
  const budget = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const before = await client.call("GET /api/budget");
    const isFirst = before.dayCapMicrousd === null && before.monthCapMicrousd === null;
    const body: BudgetChange = omitUndefined({
      dayCapMicrousd: microusdOf(day),
      monthCapMicrousd: microusdOf(month),
      // Until the owner chooses one, days begin at midnight where this command runs.
      zone: zone ?? (isFirst ? new Intl.DateTimeFormat().resolvedOptions().timeZone : undefined),
    });
    return await client.call("PATCH /api/budget", { body });
  });
  print(context, budget, options);
  return 0;
}

function microusdOf(value: number | "none" | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  return value === "none" ? null : Math.round(value * 1_000_000);
}

function print({ terminal }: CommandContext, budget: BudgetView, options: Json): void {
  if (options.json === true) return json(terminal, { budget });
  const { dayMicrousd, dayCapMicrousd, monthMicrousd, monthCapMicrousd, zone } = budget;
  const rows = fields([
    ["Today", spentOf(dayMicrousd, dayCapMicrousd)],
    ["This month", spentOf(monthMicrousd, monthCapMicrousd)],
    ["Time zone", zone],
  ]);
  for (const text of rows) line(terminal, text);
  const notice = budgetNotice(budget);
  if (notice)
    note(
      terminal,
      notice.isSpent
        ? `Your budget for ${wordsOf(notice.period)} is spent. Bron starts no more model calls until it is raised or ends.`
        : `More than 80% of your budget for ${wordsOf(notice.period)} is spent.`,
    );
  if (dayCapMicrousd === null && monthCapMicrousd === null)
    hint(terminal, "You have no budget. Set one: bron budget set --day 2 --month 30");
}

const wordsOf = (period: "day" | "month") => (period === "day" ? "today" : "this month");

function spentOf(spent: number, cap: number | null): string {
  const dollars = (microusd: number) => `$${(microusd / 1_000_000).toFixed(2)}`;
  return cap === null ? "no limit" : `${dollars(spent)} of ${dollars(cap)}`;
}
