import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { formatBytes } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { oneLine } from "../render/visible.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

interface Version {
  readonly effectId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly restoredAt: string | null;
}

/** Lists the texts that a run replaced. With a number, restores one of them. */
export async function restore(
  context: CommandContext,
  id: string,
  number: string | undefined,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "none" }, async ({ client }): Promise<ExitCode> => {
    const { id: runId } = await findRun(client, id);
    const versions = await readVersions(client, runId);
    if (number === undefined) {
      if (options.json === true) json(terminal, { versions });
      else if (versions.length === 0) line(terminal, "This run replaced no text.");
      else
        for (const [index, version] of versions.entries())
          line(terminal, `${index + 1}  ${describe(version)}`);
      return 0;
    }
    const version = versions[Number(number) - 1];
    if (!version)
      throw new BronError("invalid_input", `There is no old version ${number}.`, {
        details: { hint: `List them with: bron runs restore ${shortId(runId)}` },
      });
    const effect = await client.call("POST /api/effects/:id/restore", {
      params: { id: version.effectId },
    });
    if (options.json === true) json(terminal, { effect });
    else line(terminal, `Restored: ${oneLine(version.name)}.`);
    return 0;
  });
}

function describe({ name, sizeBytes, restoredAt }: Version): string {
  return `${oneLine(name)}, ${formatBytes(sizeBytes)}${restoredAt === null ? "" : " (restored)"}`;
}

const pageSize = 1_000;

/** The newest version that each effect of the run replaced. */
async function readVersions(client: Client, runId: string): Promise<Version[]> {
  const files = new Map<string, Pick<Version, "name" | "sizeBytes">>();
  for (let afterSeq = 0; ;) {
    const { events, lastSeq } = await client.call("GET /api/runs/:id/events", {
      params: { id: runId },
      query: { afterSeq, limit: pageSize },
    });
    for (const { type, payload } of events)
      if (type === "artifact" && payload.effectId !== undefined)
        files.set(payload.effectId, payload);
    const last = events.at(-1);
    if (!last || last.seq >= lastSeq) break;
    afterSeq = last.seq;
  }
  return await Promise.all(
    [...files].map(async ([effectId, { name, sizeBytes }]) => {
      const { restoredAt } = await client.call("GET /api/effects/:id", {
        params: { id: effectId },
      });
      return { effectId, name, sizeBytes, restoredAt };
    }),
  );
}
