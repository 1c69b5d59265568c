import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCallPart,
} from "@ai-sdk/provider";
import { chooseModel } from "@bron/models";
import pg from "pg";
import { z } from "zod";
import { measureRuns } from "./measure-runs.ts";
import type { StatementCounter } from "./statements.ts";
import { poolSize, type Subject, type SubjectOrders } from "./subject.ts";
import { benchTools, echo, promptOf, type Task } from "./task.ts";

type AssistantContent = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"];

const system = "You are a loop without anything else.";

/** The baseline for Bron: a model call and one inserted row for each step, and no other work. */
export async function openBareSubject(
  orders: SubjectOrders,
  statements: StatementCounter,
): Promise<Subject> {
  const { model, maxOutputTokens } = chooseModel({ demoBaseUrl: orders.modelUrl });
  const pool = new pg.Pool({ connectionString: orders.databaseUrl, max: poolSize });
  await pool.query(
    "create table if not exists steps (run_id uuid not null, step int not null, body jsonb not null, primary key (run_id, step))",
  );
  await pool.query(
    "create table if not exists approvals (id uuid primary key, state text not null, input jsonb not null)",
  );
  const declarations = benchTools(() => undefined)
    .filter(({ name }) => name === "echo")
    .map(({ name, description, inputJsonSchema }): LanguageModelV4FunctionTool => ({
      type: "function",
      name,
      description,
      inputSchema: inputJsonSchema,
    }));

  const insert = async (runId: string, step: number, body: unknown) => {
    await pool.query({
      name: "bare-insert",
      text: "insert into steps (run_id, step, body) values ($1, $2, $3)",
      values: [runId, step, JSON.stringify(body)],
    });
  };

  const firstPrompt = (task: Task): LanguageModelV4Prompt => [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text: promptOf(task) }] },
  ];

  const run = async (task: Task) => {
    const runId = crypto.randomUUID();
    const prompt = firstPrompt(task);
    for (let step = 1; ; step++) {
      const { stream } = await model.doStream({
        prompt,
        tools: declarations,
        maxOutputTokens,
        includeRawChunks: false,
      });
      const content = await collect(stream);
      prompt.push({ role: "assistant", content });
      const calls = content.filter(
        (part): part is LanguageModelV4ToolCallPart => part.type === "tool-call",
      );
      const results = calls.map(({ toolCallId, toolName, input }) => ({
        type: "tool-result" as const,
        toolCallId,
        toolName,
        output: { type: "json" as const, value: echo(argumentsOf.parse(input)) },
      }));
      await insert(runId, step, { content, results });
      if (results.length === 0) return;
      prompt.push({ role: "tool", content: results });
    }
  };

  return {
    runs: ({ steps, count }) =>
      measureRuns(statements, async () => {
        await Promise.all(Array.from({ length: count }, () => run({ steps })));
      }),
    async approvals(count) {
      const samples: number[] = [];
      for (let sample = 0; sample < count; sample++) {
        const id = crypto.randomUUID();
        await pool.query("insert into approvals (id, state, input) values ($1, 'pending', $2)", [
          id,
          JSON.stringify({ text: "a letter" }),
        ]);
        const startedAt = performance.now();
        await pool.query({
          name: "bare-approve",
          text: "update approvals set state = 'approved' where id = $1 and state = 'pending'",
          values: [id],
        });
        const { rows } = await pool.query<{ input: unknown }>({
          name: "bare-approved",
          text: "select input from approvals where id = $1 and state = 'approved'",
          values: [id],
        });
        echo(argumentsOf.parse(rows[0]?.input));
        samples.push(performance.now() - startedAt);
      }
      return samples;
    },
    close: () => pool.end(),
  };
}

const argumentsOf = z.object({ text: z.string() });

async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<AssistantContent> {
  const content: AssistantContent = [];
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-start") content.push({ type: "text", text: "" });
    const last = content.at(-1);
    if (part.type === "text-delta" && last?.type === "text") last.text += part.delta;
    if (part.type === "tool-call") {
      const { toolCallId, toolName, input, providerMetadata } = part;
      content.push({
        type: "tool-call",
        toolCallId,
        toolName,
        input: JSON.parse(input),
        ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
      });
    }
  }
  return content;
}
