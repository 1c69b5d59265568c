// Bron as an MCP server, with the official client.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, json } from "../support/http/ask.ts";
import { serveBron, type ServedBron } from "./support/served-bron.ts";

interface Answer {
  readonly isError?: boolean;
  readonly data: Record<string, unknown>;
  readonly content: readonly Record<string, unknown>[];
}

async function connect(bron: ServedBron, token: string) {
  const client = new Client({ name: "an editor", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${bron.server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  return {
    client,
    async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
      const result = await client.callTool({ name, arguments: args });
      const content = result.content as Record<string, unknown>[];
      const text = String(content[0]?.["text"]);
      const isError = result.isError === true;
      return {
        isError,
        data: isError ? { text } : (JSON.parse(text) as Record<string, unknown>),
        content,
      };
    },
  };
}

const sendMail = {
  calls: [{ tool: "gmail_send", input: { to: "eve@example.com", body: "Hello" } }],
};

describe("Bron as an MCP server", () => {
  it("BR28 starts a task, waits for it and reads its answer and its files", async () => {
    const bron = await serveBron({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "make_file", input: {} }] } : { text: "It is in the file." },
    });
    const editor = await connect(bron, await bron.token("read", "run"));
    const { data: started } = await editor.call("start_task", { prompt: "Write the minutes" });
    const { data: ended } = await editor.call("wait_for_task", { task_id: started["task_id"] });
    expect(ended).toMatchObject({
      status: "completed",
      is_finished: true,
      answer: "It is in the file.",
    });
    const { data: listed } = await editor.call("list_artifacts", { task_id: started["task_id"] });
    const [file] = listed["artifacts"] as { artifact_id: string }[];
    const read = await editor.call("read_artifact", {
      task_id: started["task_id"],
      artifact_id: file?.artifact_id,
    });
    expect(read.content[1]).toMatchObject({ type: "resource", resource: { text: "the minutes" } });
    expect((await editor.call("list_tasks")).data["tasks"]).toHaveLength(1);
  });

  it("BR28 asks the owner about what the words of a program ask for, and cannot approve", async () => {
    const bron = await serveBron({
      script: ({ turn }) => (turn === 0 ? sendMail : { text: "Sent." }),
    });
    await bron.owner.call("POST /api/permissions/trust", { body: { level: "autonomous" } });
    const editor = await connect(bron, await bron.token("read", "run", "approve", "manage"));
    const { data } = await editor.call("start_task", { prompt: "Send eve@example.com: Hello" });
    const waited = await editor.call("wait_for_task", { task_id: data["task_id"] });
    expect(waited.data).toMatchObject({
      status: "awaiting_confirmation",
      note: expect.stringContaining("in Bron"),
    });
    const { data: waiting } = await editor.call("list_approvals", { task_id: data["task_id"] });
    expect(waiting["approvals"]).toMatchObject([{ change: "gmail_send" }]);
    expect(bron.sent).toEqual([]);
    const { tools } = await editor.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "start_task",
      "get_task",
      "list_tasks",
      "wait_for_task",
      "cancel_task",
      "list_approvals",
      "list_artifacts",
      "read_artifact",
    ]);
    expect(await bron.owner.list("GET /api/approvals", { pending: "true" })).toHaveLength(1);
    for (const name of ["approve", "answer_question", "POST /api/approvals/:id/approve"])
      expect(await editor.call(name)).toMatchObject({ isError: true });
    const { data: canceled } = await editor.call("cancel_task", { task_id: data["task_id"] });
    expect(canceled).toMatchObject({ task_id: data["task_id"] });
    expect(bron.sent).toEqual([]);
  });

  it("BR28 stays within the scopes and the rates of its token", async () => {
    const bron = await serveBron({ script: () => ({ text: "Done." }), createRunsPerMinute: 2 });
    const reader = await connect(bron, await bron.token("read"));
    expect(await reader.call("start_task", { prompt: "Hello" })).toMatchObject({
      isError: true,
      data: { text: 'This token needs the "run" scope.' },
    });
    const editor = await connect(bron, await bron.token("read", "run"));
    const answers = [];
    for (let at = 0; at < 3; at++)
      answers.push(await editor.call("start_task", { prompt: "Hello" }));
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(answers[2]?.data["text"]).toContain("Slow down");
  });

  it("BR28 finds nothing of another owner", async () => {
    const bron = await serveBron({ script: () => ({ text: "Done." }) });
    const editor = await connect(bron, await bron.token("read", "run"));
    const answer = await editor.call("get_task", {
      task_id: "3f9a1c20-1111-4222-8333-444455556666",
    });
    expect(answer).toMatchObject({
      isError: true,
      data: { text: expect.stringContaining("not found") },
    });
    expect(await editor.call("get_task", { task_id: "1" })).toMatchObject({ isError: true });
  });

  it("BR28 is for tokens: neither a browser nor a stranger gets in, and it has no sessions", async () => {
    const bron = await serveBron({ script: () => ({ text: "Done." }) });
    const url = `${bron.server.url}/mcp`;
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const accept = "application/json, text/event-stream";
    const send = (headers: Record<string, string>) =>
      ask(url, { method: "POST", headers: { ...json, accept, ...headers }, body });
    expect(await send({})).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
    const { port } = new URL(url);
    const cookie = `bron_session_${port}=${await bron.session()}`;
    expect(await send({ cookie })).toMatchObject({ status: 403 });
    const authorization = `Bearer ${await bron.token("read")}`;
    expect(await send({ authorization, origin: "https://evil.example" })).toMatchObject({
      status: 403,
    });
    expect(await ask(url, { headers: { authorization } })).toMatchObject({ status: 405 });
    const batch = { method: "POST", headers: { ...json, accept, authorization }, body: [body] };
    expect(await ask(url, batch)).toMatchObject({ status: 400 });
    expect(await send({ authorization })).toMatchObject({ status: 200 });
  });
});
