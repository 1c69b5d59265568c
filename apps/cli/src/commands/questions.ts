import { BronError } from "@bron/core";
import { expectedAnswer, visible, type QuestionView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findQuestion } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readWords } from "../read-words.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { ago, until } from "../render/time.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, type Terminal } from "../terminal.ts";

export async function listQuestions(
  context: CommandContext,
  options: { readonly all?: boolean; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const all = options.all === true;
  const questions = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.list("GET /api/questions", { pending: all ? "false" : "true" }),
  );
  if (options.json === true) json(terminal, { questions });
  else if (questions.length === 0) line(terminal, all ? "No questions yet." : "No open questions.");
  else for (const text of listing(questions, all, context)) line(terminal, text);
  return 0;
}

function listing(
  questions: readonly QuestionView[],
  all: boolean,
  { terminal }: CommandContext,
): string[] {
  const now = terminal.now();
  const rows = questions.map(({ id, runId, state, text, createdAt, expiresAt }) => {
    const when = all ? [state, ago(createdAt, now)] : [until(expiresAt, now)];
    return [shortId(id), shortId(runId), ...when, oneLine(text)];
  });
  return table(
    ["ID", "RUN", ...(all ? ["STATE", "ASKED"] : ["EXPIRES"]), "QUESTION"],
    rows,
    terminal.columns,
  );
}

export async function showQuestion(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const question = await reachRuntime(context, { work: "none" }, ({ client }) =>
    findQuestion(client, id),
  );
  if (options.json === true) json(terminal, { question });
  else {
    line(terminal, visible(question.text));
    for (const [index, choice] of question.choices.entries())
      line(terminal, `  ${index + 1}. ${oneLine(choice)}`);
    if (question.schema) line(terminal, `The answer is ${expectedAnswer(question.schema)}.`);
    if (question.default !== null)
      line(terminal, `If you don't answer, Bron will continue with: ${oneLine(question.default)}`);
    if (question.state === "pending")
      line(terminal, `Answer: ${terminal.calledAs} questions answer ${shortId(question.id)} "…"`);
    else
      line(
        terminal,
        `${question.state}${question.answer === null ? "" : `: ${oneLine(question.answer)}`}`,
      );
  }
  return 0;
}

/** Answers in the owner's words, or with the number of a choice. */
export async function answerQuestion(
  context: CommandContext,
  id: string,
  words: string | undefined,
  options: {
    readonly choice?: number;
    readonly wordsFromStdin?: boolean;
    readonly json?: boolean;
  },
): Promise<ExitCode> {
  const { terminal } = context;
  const body = await answerFrom(terminal, words, options);
  const question = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const found = await findQuestion(client, id);
    return await client.call("POST /api/questions/:id/answer", {
      params: { id: found.id },
      body,
    });
  });
  if (options.json === true) json(terminal, { question });
  else
    line(terminal, `Answered. Run ${shortId(question.runId)} goes on when the server is running.`);
  return 0;
}

async function answerFrom(
  terminal: Terminal,
  words: string | undefined,
  { choice, wordsFromStdin }: { readonly choice?: number; readonly wordsFromStdin?: boolean },
) {
  if (choice !== undefined && words === undefined) return { choice };
  if (choice !== undefined || (words === undefined && !terminal.canAsk))
    throw new BronError("invalid_input", "Give either an answer in quotes or --choice <n>.");
  const question = "Your answer: ";
  const { words: typed, ...rest } = await readWords(terminal, { words, wordsFromStdin, question });
  return { typed, ...rest };
}
