// Records logs of the current version for test/logs, which later versions must still read. Keeps
// files that exist, so that each log stays as its version wrote it.
import { logVersion } from "@bron/protocol";
import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { logTools, ownerId, proposal, recordings, type Recording } from "./log-recordings.ts";

const maxRounds = 20;

/** Plays a run, and the runs below it, to their end. */
async function play(recording: Recording): Promise<{ loop: LoopHarness; runId: string }> {
  const { messages = proposal, begin, whenParked, options, input, caps } = recording;
  const loop = createLoopHarness({
    script: ({ turn }) => messages[turn] ?? { text: "Done." },
    tools: logTools(recording),
    ...options?.(() => loop),
  });
  const { id: runId } = await loop.create(input, caps);
  await begin?.(loop, runId);
  for (let round = 0; round < maxRounds; round++) {
    await loop.store.runs.notifyParents();
    for (const run of await loop.store.runs.list(ownerId, {}))
      if (run.runnable && (await loop.advance(run.id)) === "parked")
        await whenParked?.(loop, run.id);
  }
  return { loop, runId };
}

const folder = new URL(`../test/logs/version-${logVersion}/`, import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, recording] of Object.entries(recordings)) {
  if (existsSync(new URL(`${name}.jsonl`, folder))) continue;
  const { loop, runId } = await play(recording);
  for (const { id, title } of await loop.store.runs.list(ownerId, {})) {
    const events = await loop.events(id);
    const file = new URL(`${id === runId ? name : `${name}_${title}`}.jsonl`, folder);
    writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  }
}
