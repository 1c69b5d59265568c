import {
  describeFailure,
  omitUndefined,
  failureModes,
  isTerminal,
  webStatusOf,
  type Caps,
  type EventPayloads,
  type JsonObject,
  type RunEvent,
  type RunView,
} from "@bron/protocol";
import { z } from "zod";
import { BronError } from "../errors.ts";
import type { Runs } from "../ports/runs/runs.ts";
import { isMessageTrusted } from "../policy/message-trust.ts";
import { chosenModelIn } from "../run/state/first-events.ts";
import { actionFailure } from "../tool/action-error.ts";
import { defineTool } from "../tool/define-tool.ts";
import { textOf, outputPart } from "../tool/label-parts.ts";
import type { Tool } from "../tool/tool.ts";

const maxTitleCharacters = 200;
const maxTaskCharacters = 20_000;
/** High enough to read a complete log, because a run's caps keep logs shorter. */
const maxEvents = 1_000_000;

interface ChildRunsDeps {
  readonly runs: Pick<Runs, "create" | "get" | "events">;
}

/** Tools that start a child run and wait for its result. */
export const childRunTools = ({ runs }: ChildRunsDeps): Tool[] => [
  spawnTool(runs),
  awaitTool(runs),
];

function spawnTool(runs: ChildRunsDeps["runs"]): Tool {
  return defineTool({
    name: "spawn_bron",
    description:
      "Starts an independent part of the task as a subtask that runs in parallel. Its prompt must contain everything that it needs to know. Wait for it with await_bron. A task can have only a few subtasks, and they share its limits.",
    input: z.object({
      title: z.string().trim().min(1).max(maxTitleCharacters).describe("A few words for the user"),
      prompt: z.string().trim().min(1).max(maxTaskCharacters).describe("The subtask, in full"),
      failureMode: z
        .enum(failureModes)
        .default("best_effort")
        .describe("fail_fast: if this subtask fails, the entire task fails"),
      insteadOf: z
        .string()
        .optional()
        .describe(
          "The runId of a failed subtask that this one tries in a simpler way. Once per failed subtask",
        ),
    }),
    label: "trusted",
    // A child run belongs to the run that started it, so a retry starts a new one.
    reuseOnRetry: false,
    repeatable: true,
    async execute({ title, prompt, failureMode, insteadOf }, { ownerId, runId, actionId }) {
      const parent = await runs.get(ownerId, runId);
      if (!parent) throw new BronError("not_found", `Run ${runId} not found.`);
      const caps = capsBelow(parent.caps);
      if (!caps)
        throw actionFailure(
          "cap_children",
          { code: "child_run_nested" },
          { advice: "Do it here." },
        );
      const events = await runs.events(ownerId, runId, 0, maxEvents);
      const children = childRunsIn(events);
      // After a crash the same call is made again and must get the same run.
      const isRepeated = [...children.values()].some(({ spawnedBy }) => spawnedBy === actionId);
      if (!isRepeated && insteadOf !== undefined) checkFallback(children, insteadOf);
      const { run: child } = await runs.create({
        ownerId,
        input: {
          prompt,
          bronId: parent.bronId,
          ...omitUndefined({ model: chosenModelIn(events) }),
        },
        title,
        caps,
        idempotencyKey: `part ${actionId}`,
        parent: {
          runId,
          actionId,
          trusted: isMessageTrusted(events, "latest") === true,
          failureMode,
          maxChildren: parent.caps.children,
          ...omitUndefined({ insteadOf, tools: toolsOffered(events) }),
        },
      });
      return { runId: child.id, title: child.title };
    },
  });
}

function awaitTool(runs: Pick<Runs, "get" | "events">): Tool {
  return defineTool({
    name: "await_bron",
    description:
      "Waits until a subtask that spawn_bron started has finished, and returns {status, summary, result}. If it failed, say what failed and what you did about it. Treat the missing result as unknown.",
    input: z.object({ runId: z.string().min(1).max(100) }),
    label: {
      origin: "child",
      parts: outputPart((output) => ({
        item: { kind: "task", title: textOf(output, "title") },
      })),
      isTrusted: (output) =>
        typeof output === "object" &&
        output !== null &&
        !Array.isArray(output) &&
        output["trusted"] === true,
    },
    reuseOnRetry: false,
    repeatable: true,
    parallelSafe: true,
    async findRunToAwait({ runId: childId }, { ownerId, runId }) {
      const child = await findChild(runs, { ownerId, runId, childId });
      return isTerminal(child.status) ? undefined : child.id;
    },
    async execute({ runId: childId }, { ownerId, runId }) {
      const child = await findChild(runs, { ownerId, runId, childId });
      return resultOf(child, await runs.events(ownerId, child.id, 0, maxEvents));
    },
  });
}

async function findChild(
  runs: Pick<Runs, "get">,
  { ownerId, runId, childId }: Readonly<Record<"ownerId" | "runId" | "childId", string>>,
): Promise<RunView> {
  const child = await runs.get(ownerId, childId);
  if (child?.parentRunId !== runId)
    throw actionFailure(
      "not_found",
      { code: "child_run_missing", runId: childId },
      { advice: "Use the runId that spawn_bron returned." },
    );
  return child;
}

/**
 * The caps of a child run: those of its parent, one level deeper. Money and steps are shared with
 * the parent. Returns undefined at the deepest level.
 */
function capsBelow(caps: Caps): Caps | undefined {
  const { depth = 1 } = caps;
  return depth === 0 ? undefined : { ...caps, depth: depth - 1 };
}

/** The error for one child run too many. Stores throw it, because they count under a lock. */
export function childRunLimit(limit: number): BronError {
  return actionFailure(
    "cap_children",
    { code: "child_run_limit", limit },
    { advice: "Do the rest here." },
  );
}

type ChildRuns = ReadonlyMap<string, EventPayloads["child_run"]>;

/**
 * Merges the child_run events of the parent's log by child. Later events override earlier fields.
 */
function childRunsIn(events: readonly RunEvent[]): ChildRuns {
  const children = new Map<string, EventPayloads["child_run"]>();
  for (const event of events)
    if (event.type === "child_run")
      children.set(event.payload.childRunId, {
        ...children.get(event.payload.childRunId),
        ...event.payload,
      });
  return children;
}

/** The names of the tools that a run has now. Logs of earlier versions do not have them. */
function toolsOffered(events: readonly RunEvent[]): string[] | undefined {
  const last = events.findLast((event) => event.type === "tool_set");
  return last && Object.keys(last.payload.tools);
}

function checkFallback(children: ChildRuns, insteadOf: string): void {
  if (children.get(insteadOf)?.status !== "failed")
    throw actionFailure(
      "invalid_arguments",
      { code: "fallback_not_needed" },
      { advice: "insteadOf needs the runId of a failed subtask." },
    );
  if ([...children.values()].some((child) => child.insteadOf === insteadOf))
    throw actionFailure(
      "invalid_arguments",
      { code: "fallback_used" },
      { advice: "Continue without it, and say what is unknown." },
    );
}

/**
 * The child run's result, including what it did not do. Trusted only if the child's model had seen
 * nothing untrusted when it wrote its final message.
 */
function resultOf(
  { id, title, status, summary, error, notDone, outcome }: RunView,
  events: readonly RunEvent[],
): JsonObject {
  const trusted = status === "completed" && isMessageTrusted(events, "final") === true;
  const files = events.flatMap((event) =>
    event.type === "artifact"
      ? [
          {
            filename: event.payload.name,
            digest: event.payload.digest,
            mediaType: event.payload.mediaType,
          },
        ]
      : [],
  );
  return {
    runId: id,
    title,
    status: webStatusOf[status],
    ...(outcome ? { outcome } : {}),
    summary: summary ?? "unknown",
    result: { answer: summary, files, ...(notDone > 0 ? { notDone } : {}) },
    ...(error
      ? { error: { code: error.code, message: describeFailure(error) } }
      : status === "canceled"
        ? { error: { message: "Canceled." } }
        : {}),
    trusted,
  };
}
