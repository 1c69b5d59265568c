import { BronError } from "@bron/core";
import { isSnoozeTime, snoozeUntil } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { localTime } from "../render/time.ts";
import { json, line } from "../terminal.ts";

/** Hides an approval from the list of what is pending until a time, or shows it again. */
export async function snoozeApproval(
  context: CommandContext,
  id: string,
  options: { readonly until: string; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const until = readUntil(options.until, terminal.now());
  const approval = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.call("POST /api/approvals/:id/snooze", {
        params: { id: (await findApproval(client, id)).id },
        body: { until: until?.toISOString() ?? null },
      }),
  );
  if (options.json === true) json(terminal, { approval });
  else
    line(
      terminal,
      until === undefined
        ? `Approval ${shortId(approval.id)} is shown again.`
        : `Approval ${shortId(approval.id)} is hidden until ${localTime(until.toISOString())}. Show it again: bron approvals snooze ${shortId(approval.id)} --until now`,
    );
  return 0;
}

/** Undefined for "now". Throws invalid_input. */
export function readUntil(text: string, now: Date): Date | undefined {
  if (text === "now") return undefined;
  if (isSnoozeTime(text)) return snoozeUntil(text, now);
  const time = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (time.getTime() > now.getTime()) return time;
  throw new BronError(
    "invalid_input",
    `"${text}" is not a time to come. Pass 1h, evening, tomorrow, now, or a time such as 2027-01-31T09:00:00Z.`,
  );
}
