import { BronError, dollars } from "@bron/core";
import type { ConnectionState } from "@bron/client";
import { demoExamples, isParked, type QuestionView, type RunView } from "@bron/protocol";
import { groupsOf, shortGroupId, type ApprovalGroup } from "./approval-groups.ts";
import { exitCodeOfRun, type ExitCode } from "./exit-code.ts";
import type { ReachedRuntime } from "./reach-runtime.ts";
import { paintStatus, statusWord } from "./render/run-status.ts";
import { seconds } from "./render/time.ts";
import { shortId } from "./render/short-id.ts";
import { unconfirmedSentence } from "./render/tool-words.ts";
import { createJsonPrinter, createTextPrinter } from "./run-printer.ts";
import { note, paint, type Terminal } from "./terminal.ts";

export interface ShownRun {
  readonly runId: string;
  readonly afterSeq: number;
  readonly json: boolean;
  /** Names tools, with what they got and returned. */
  readonly verbose?: boolean | undefined;
  /** The person is asked next, so nothing is said about how to decide. */
  readonly asksNext?: boolean;
}

const quietMs = 15_000;

/** Shows a run until it has finished or waits for a person. The exit code says which. */
export async function showRun(
  terminal: Terminal,
  { client, by }: Pick<ReachedRuntime, "client" | "by">,
  shown: ShownRun,
): Promise<ExitCode> {
  const { runId, afterSeq } = shown;
  const params = { id: runId };
  const earlier =
    afterSeq === 0 ? [] : (await client.call("GET /api/runs/:id/actions", { params })).actions;
  const printer = shown.json
    ? createJsonPrinter(terminal)
    : createTextPrinter(terminal, {
        earlier,
        isVerbose: shown.verbose === true,
        asksNext: shown.asksNext === true,
      });
  const say = (text: string) => {
    printer.end();
    note(terminal, `  ${text}`);
  };
  const quiet = setTimeout(
    () => say("Still waiting. Another worker may be busy with it, or the run limit was reached."),
    quietMs,
  );
  const onConnection = (state: ConnectionState) =>
    say(
      paint(
        terminal,
        "yellow",
        state === "live" || state === "polling"
          ? "Reconnected."
          : "Lost connection to Bron. Reconnecting…",
      ),
    );
  try {
    for await (const event of client.events(runId, {
      afterSeq,
      signal: terminal.stop,
      untilParked: true,
      onPartialText: printer.partialText,
      onConnection,
    })) {
      quiet.refresh();
      printer.event(event);
      if (event.type === "child_run" && !shown.json)
        printer.childRun(
          await client.call("GET /api/runs/:id", { params: { id: event.payload.childRunId } }),
        );
    }
    clearTimeout(quiet);
    printer.end();
    if (terminal.stop.aborted) throw detached(runId, by);
    const [run, { actions }] = await Promise.all([
      client.call("GET /api/runs/:id", { params }),
      client.call("GET /api/runs/:id/actions", { params }),
    ]);
    const unknown = actions.filter(({ state }) => state === "unknown");
    if (!shown.json) {
      if (shown.asksNext !== true || !isParked(run.status))
        noteHow(terminal, run, await findAsked(client, run));
      if (actions.length === 0)
        for (const hint of await demoHints(terminal, client, run)) note(terminal, hint);
      if (unknown.length > 0)
        note(
          terminal,
          paint(
            terminal,
            "yellow",
            `Check before you retry. ${unknown.map(({ tool }) => unconfirmedSentence(tool)).join(" ")}`,
          ),
        );
    }
    return exitCodeOfRun(run, unknown.length > 0);
  } catch (error) {
    throw BronError.is(error, "server_unreachable") ? connectionLost(runId, error) : error;
  } finally {
    clearTimeout(quiet);
    printer.end();
  }
}

function detached(runId: string, by: ReachedRuntime["by"]): BronError {
  const id = shortId(runId);
  if ("url" in by)
    return new BronError("interrupted", `Detached. Run ${id} continues at ${by.url}`, {
      details: { hint: `See its progress: bron runs show ${id}. Stop it: bron runs cancel ${id}` },
    });
  return new BronError(
    "interrupted",
    `Detached. Run ${id} is saved and continues when Bron is running.`,
    { details: { hint: `Continue it: bron start. Stop it: bron runs cancel ${id}` } },
  );
}

function connectionLost(runId: string, cause: unknown): BronError {
  const id = shortId(runId);
  return new BronError("server_unreachable", `Lost connection to Bron. Run ${id} is saved.`, {
    cause,
    details: { hint: `Continue it: bron start. Then see its progress: bron runs show ${id}` },
  });
}

/** What a parked run, or a child run of it, asks the owner. */
export type Asked =
  | { readonly kind: "question"; readonly runId: string; readonly question: QuestionView }
  | { readonly kind: "approval"; readonly runId: string; readonly group: ApprovalGroup };

export async function findAsked(
  client: ReachedRuntime["client"],
  { id: runId, status, waitsFor }: RunView,
): Promise<Asked | undefined> {
  if (!isParked(status)) return undefined;
  if (waitsFor?.kind === "question") {
    const [first] = await client.list("GET /api/questions", { runId, pending: "true", limit: 1 });
    return first && { kind: "question", runId: first.runId, question: first };
  }
  const pending = await client.list("GET /api/approvals", { runId, pending: "true" });
  const [group] = groupsOf(pending);
  return group && { kind: "approval", runId: group[0].runId, group };
}

/** Tasks to try, after the demo model only said what it can do. */
async function demoHints(
  { calledAs }: Terminal,
  client: ReachedRuntime["client"],
  { status, outcome }: RunView,
): Promise<readonly string[]> {
  if (status !== "completed" || (outcome !== "done" && outcome !== "could_not")) return [];
  const { demoModel, suggestions } = await client.call("GET /api/about");
  if (!demoModel) return [];
  return [
    "Try one of these:",
    ...demoExamples(suggestions).map((task) => `  ${calledAs} run ${JSON.stringify(task)}`),
    `Connect a model for other tasks: ${calledAs} open, then Connections.`,
  ];
}

/** Says how a run ended, or that it waits and with which command it is decided. */
export function noteHow(terminal: Terminal, run: RunView, asked: Asked | undefined): void {
  note(terminal, closingLine(terminal, run, asked));
}

function decideHint(terminal: Terminal, asked: Asked): string {
  const bron = terminal.calledAs;
  if (asked.kind === "question")
    return ` Answer it: ${bron} questions answer ${shortId(asked.question.id)} "…"`;
  const id = shortGroupId(asked.group);
  return asked.group.length === 1
    ? ` Decide: ${bron} approvals show ${id}`
    : ` Decide all ${asked.group.length} at once: ${bron} approvals approve ${id}`;
}

function closingLine(terminal: Terminal, run: RunView, asked: Asked | undefined): string {
  const id = shortId(run.id);
  const who = asked && asked.runId !== run.id ? `child run ${shortId(asked.runId)}` : `run ${id}`;
  if (run.status === "awaiting_auth") return `Waiting for you to sign in (run ${id}).`;
  if (isParked(run.status) && run.waitsFor?.kind === "question")
    return `Waiting for your answer (${who}).${asked ? decideHint(terminal, asked) : ""}`;
  if (isParked(run.status))
    return `Waiting for your approval (${who}).${asked ? decideHint(terminal, asked) : ""}`;
  const tookMs =
    Date.parse(run.finishedAt ?? run.createdAt) - Date.parse(run.startedAt ?? run.createdAt);
  const cost = run.spentMicrousd > 0 ? ` (${dollars(run.spentMicrousd)})` : "";
  return `${howItWent(terminal, run)} ${seconds(tookMs)}${cost}. Details: ${terminal.calledAs} runs show ${id}`;
}

function howItWent(terminal: Terminal, run: RunView): string {
  const isDone = run.status === "completed" && run.outcome === "done";
  return `${paintStatus(terminal, run, statusWord(run))}${isDone ? " in" : " after"}`;
}
