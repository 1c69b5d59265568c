import { BronError } from "@bron/core";
import {
  closingReasonOf,
  describeClosing,
  expectedAnswer,
  isParked,
  visible,
  type ApprovalView,
  type JsonValue,
  type QuestionView,
} from "@bron/protocol";
import type { ApprovalGroup } from "./approval-groups.ts";
import { readBefore, showRest, type Before } from "./commands/show-rest.ts";
import type { ExitCode } from "./exit-code.ts";
import type { ReachedRuntime } from "./reach-runtime.ts";
import { readWords } from "./read-words.ts";
import { describeWhat } from "./render/approval.ts";
import { groupTitle } from "./render/approval-group.ts";
import { approveWords } from "./render/tool-words.ts";
import { oneLine } from "./render/visible.ts";
import { findAsked, noteHow, showRun, type Asked, type ShownRun } from "./show-run.ts";
import { line, note, type Terminal } from "./terminal.ts";
import { waitForUndo } from "./wait-for-undo.ts";

/** Whether a person sees what a run asks, and can answer at once. */
export function canAskInPlace(
  { isLive, canAsk }: Pick<Terminal, "isLive" | "canAsk">,
  { json }: Pick<ShownRun, "json">,
): boolean {
  return isLive && canAsk && !json;
}

/**
 * Shows a run as `showRun` does. In a terminal it also asks what the run asks, and goes on until the
 * run has ended or the person wants to decide later.
 */
export async function showAndAsk(
  terminal: Terminal,
  reached: ReachedRuntime,
  shown: ShownRun,
): Promise<ExitCode> {
  const asksNext = canAskInPlace(terminal, shown);
  const code = await showRun(terminal, reached, { ...shown, asksNext });
  return asksNext ? await askWhileParked(terminal, reached, shown, code) : code;
}

/** Asks the person as long as a shown run waits for them. `code` is how the run was left. */
async function askWhileParked(
  terminal: Terminal,
  reached: ReachedRuntime,
  { runId, verbose }: Pick<ShownRun, "runId" | "verbose">,
  code: ExitCode,
): Promise<ExitCode> {
  const { client } = reached;
  for (;;) {
    const run = await client.call("GET /api/runs/:id", { params: { id: runId } });
    if (!isParked(run.status)) return code;
    const asked = await findAsked(client, run);
    const before = asked && (await readBefore(client, asked.runId));
    if (!before || !(await askOnce(terminal, reached, asked, verbose === true))) {
      noteHow(terminal, run, asked);
      return code;
    }
    code = await showRest(terminal, reached, before, { json: false, verbose, asksNext: true });
  }
}

/** Shows what runs do after a decision, and asks what they ask next. */
export async function showAndAskRest(
  terminal: Terminal,
  reached: ReachedRuntime,
  before: Before,
  { json: asJson, verbose }: { readonly json?: boolean; readonly verbose?: boolean },
): Promise<ExitCode> {
  const json = asJson === true;
  const asksNext = canAskInPlace(terminal, { json });
  const code = await showRest(terminal, reached, before, { json, verbose, asksNext });
  const runId = (before.parent ?? before.run).id;
  return asksNext ? await askWhileParked(terminal, reached, { runId, verbose }, code) : code;
}

type Reached = Pick<ReachedRuntime, "client">;

/** Returns whether something was decided or answered. */
async function askOnce(
  terminal: Terminal,
  reached: Reached,
  asked: Asked,
  isVerbose: boolean,
): Promise<boolean> {
  if (asked.kind === "question") return await answer(terminal, reached, asked.question);
  const [first, ...others] = asked.group;
  if (others.length > 0 && (await decideTogether(terminal, reached, asked.group))) return true;
  return await decideOne(terminal, reached, first, { isVerbose, isShown: others.length === 0 });
}

async function answer(
  terminal: Terminal,
  { client }: Reached,
  { id, text, choices, schema }: QuestionView,
): Promise<boolean> {
  line(terminal, visible(text));
  for (const [index, choice] of choices.entries())
    line(terminal, `  ${index + 1}. ${oneLine(choice)}`);
  if (schema) note(terminal, `The answer is ${expectedAnswer(schema)}.`);
  const ways = choices.length > 0 ? "a number, your own words, or" : "or";
  const { words, pasted } = await terminal.askWords(`Your answer (${ways} Enter for later): `);
  if (words.trim() === "" || terminal.stop.aborted) return false;
  const number = /^\d{1,3}$/.test(words.trim()) ? Number(words) : 0;
  const isChoice = number >= 1 && number <= choices.length && pasted.length === 0;
  return await decideOrSayWhy(terminal, async () => {
    await client.call("POST /api/questions/:id/answer", {
      params: { id },
      body: isChoice
        ? { choice: number }
        : { typed: words, ...(pasted.length > 0 ? { context: [...pasted] } : {}) },
    });
  });
}

/** Returns false if the person wants to decide one by one. */
async function decideTogether(
  terminal: Terminal,
  { client }: Reached,
  group: ApprovalGroup,
): Promise<boolean> {
  const chosen = await choose(
    terminal,
    `${groupTitle(group)}? [a]pprove all ${group.length}, [o]ne by one, [d]eny all: `,
    { a: "approve", y: "approve", o: "one", "": "one", d: "deny", n: "deny" },
  );
  if (chosen !== "approve" && chosen !== "deny") return false;
  const seen = group.map(({ id, digest }) => ({ id, digest }));
  const { approve, deny } = await client.call("POST /api/approvals/batch", {
    body: chosen === "approve" ? { approve: seen, deny: [] } : { approve: [], deny: seen },
  });
  for (const outcome of [...approve, ...deny])
    if (!outcome.ok) note(terminal, `Not decided: ${describeClosing(outcome.error)}`);
  const undoable = approve.flatMap((outcome) => (outcome.ok ? [outcome.approval] : []));
  if (undoable.length > 0) await waitForUndo(terminal, client, undoable);
  return true;
}

async function decideOne(
  terminal: Terminal,
  { client }: Reached,
  approval: ApprovalView,
  { isVerbose, isShown }: { readonly isVerbose: boolean; readonly isShown: boolean },
): Promise<boolean> {
  const { id, digest, tool, editable } = approval;
  const options = { calledAs: terminal.calledAs, isVerbose };
  if (!isShown) for (const text of describeWhat(approval, options)) line(terminal, text);
  const edit = editable ? "[e]dit, " : "";
  const chosen = await choose(
    terminal,
    `${bracketed(approveWords(tool).approve)}, ${edit}[d]eny, [r]equest changes, [l]ater: `,
    editable ? { ...approvalKeys, e: "edit" } : approvalKeys,
  );
  const params = { id };
  return await decideOrSayWhy(terminal, async () => {
    if (chosen === "approve") {
      const approved = await client.call("POST /api/approvals/:id/approve", {
        params,
        body: { digest },
      });
      await waitForUndo(terminal, client, [approved]);
    } else if (chosen === "deny")
      await client.call("POST /api/approvals/:id/deny", { params, body: { digest } });
    else if (chosen === "reply") {
      const said = await readWords(terminal, {
        words: undefined,
        question: "What should change? ",
      });
      await client.call("POST /api/approvals/:id/reply", { params, body: { digest, ...said } });
    } else if (chosen === "edit") {
      const changes = await askChanges(terminal, editable ?? {});
      if (Object.keys(changes).length === 0) return false;
      await client.call("POST /api/approvals/:id/edit", { params, body: { digest, changes } });
    } else return false;
    return true;
  });
}

const approvalKeys = {
  a: "approve",
  y: "approve",
  d: "deny",
  n: "deny",
  r: "reply",
  l: "later",
  "": "later",
};

const bracketed = (words: string) => `[${words.charAt(0)}]${words.slice(1)}`;

/** A decision can be refused, because another device decided or the content changed. */
async function decideOrSayWhy(
  terminal: Terminal,
  decide: () => Promise<boolean | void>,
): Promise<boolean> {
  try {
    return (await decide()) !== false;
  } catch (error) {
    if (!BronError.is(error)) throw error;
    const why = closingReasonOf(error.details);
    note(terminal, why ? describeClosing({ why }) : visible(error.message));
    return error.code !== "invalid_input";
  }
}

/** Asks until one of the letters is typed. A word counts by its first letter. */
async function choose(
  terminal: Terminal,
  question: string,
  letters: Readonly<Record<string, string>>,
): Promise<string> {
  for (;;) {
    const typed = (await terminal.ask(question)).trim().toLowerCase();
    if (terminal.stop.aborted) return "later";
    const chosen = letters[typed.charAt(0)];
    if (chosen !== undefined) return chosen;
    note(terminal, `Type one of: ${Object.keys(letters).filter(Boolean).join(", ")}.`);
  }
}

/** Asks for the fields to change, one after the other. */
async function askChanges(
  terminal: Terminal,
  editable: Readonly<Record<string, JsonValue>>,
): Promise<Record<string, JsonValue>> {
  const names = Object.keys(editable);
  const changes: Record<string, JsonValue> = {};
  for (;;) {
    for (const [index, name] of names.entries())
      note(
        terminal,
        `  ${index + 1}. ${name}: ${oneLine(textOf(changes[name] ?? editable[name]))}`,
      );
    const typed = (await terminal.ask("Which field? (number or name, Enter when done): ")).trim();
    if (typed === "" || terminal.stop.aborted) return changes;
    const name = names[Number(typed) - 1] ?? names.find((one) => one === typed.toLowerCase());
    if (name === undefined) continue;
    const value = await terminal.ask(
      `New ${name}${isList(editable[name]) ? ", separated by commas" : ""}: `,
    );
    changes[name] = isList(editable[name])
      ? value
          .split(",")
          .map((one) => one.trim())
          .filter(Boolean)
      : value.replaceAll("\\n", "\n");
  }
}

const isList = (value: JsonValue | undefined) => Array.isArray(value);
const textOf = (value: JsonValue | undefined) =>
  Array.isArray(value)
    ? value.map(String).join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value ?? "");
