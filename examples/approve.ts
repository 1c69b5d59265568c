// An effect waits for an approval, which another part of the program gives. Run: node
// examples/approve.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseModel } from "@bron/models";
import { startDemoModel } from "@bron/demo-model";
import { createRuntime, defineTool } from "bron";
import { z } from "zod";

const home = await mkdtemp(join(tmpdir(), "bron-example-"));
const demo = await startDemoModel();
const { model, modelId, maxOutputTokens } = chooseModel({ demoBaseUrl: demo.url });

const board: string[] = [];
const postNote = defineTool({
  name: "post_note",
  description: "Posts a line to a board where others can read it.",
  input: z.object({ board: z.string(), text: z.string() }),
  sideEffect: true,
  prepare: (input) => ({
    prepared: { line: input.text.trim() },
    preview: `Post “${input.text.trim()}” to ${input.board}`,
  }),
  execute({ line }) {
    board.push(line);
    return "posted";
  },
});

const runtime = await createRuntime({
  home,
  model: { model, name: modelId, maxOutputTokens },
  tools: [postNote],
});
const client = runtime.clientFor("local");
const { id: runId } = await client.call("POST /api/runs", {
  body: { prompt: 'Post "Lunch at noon" to the team board' },
});

// The run parks. No code runs until the owner decides, in a minute or in three days, in this
// process or another one.
for await (const _ of client.events(runId, { untilParked: true }));
const [approval] = await client.list("GET /api/approvals", { pending: "true" });
if (!approval) throw new TypeError("It should have asked");
const { id, digest } = approval;
console.log(`${approval.preview}?  (${digest})`);

// The digest binds the approval to exactly the content that was shown.
await client.call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } });
for await (const _ of client.events(runId));
console.log("On the board:", board);

await runtime.close();
await demo.close();
await rm(home, { recursive: true, force: true });
