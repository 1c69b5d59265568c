import type { McpPin } from "@bron/core";
import type { McpDefinition, McpServerState, McpServerView, McpToolView } from "@bron/protocol";
import { sameDefinition } from "./definition.ts";
import type { FoundServer } from "./find-servers.ts";
import type { RunningServer } from "./running-server.ts";
import { describeEntry } from "./server-entry.ts";

interface ViewInput {
  readonly server: FoundServer;
  /** The server with its source, or why it cannot be used. */
  readonly usable: { readonly source: string } | string;
  readonly pin: McpPin | undefined;
  readonly running: RunningServer | undefined;
  readonly signedIn: boolean | undefined;
  /** Whether arguments can be checked by its schema. */
  readonly isUsable: (definition: McpDefinition) => boolean;
}

export function viewServer(input: ViewInput): McpServerView {
  const { server, usable, running } = input;
  const pin =
    typeof usable !== "string" && input.pin?.source === usable.source ? input.pin : undefined;
  const tools = pin ? toolViews(pin, input.isUsable) : [];
  const problem = running?.problem();
  const { entry } = server;
  const wantsSignIn = problem?.kind === "needs_sign_in";
  return {
    name: server.name,
    title: server.title,
    folder: server.folder ?? null,
    isSample: server.isSample === true,
    transport: entry?.kind ?? null,
    target: entry ? describeEntry(entry) : "",
    state: stateOf(input, pin, tools),
    problem: typeof usable === "string" ? usable : (problem?.text ?? null),
    signedIn: input.signedIn === true ? true : wantsSignIn ? false : null,
    tools,
    notes: [...(pin?.notes ?? [])],
    digest: pin?.offeredDigest ?? null,
  };
}

function stateOf(
  { server, usable, running }: ViewInput,
  pin: McpPin | undefined,
  tools: readonly McpToolView[],
): McpServerState {
  if (!server.isTrusted) return "untrusted";
  if (server.entry?.disabled === true) return "disabled";
  if (typeof usable === "string") return "invalid";
  const problem = running?.problem();
  if (problem) return problem.kind;
  if (!pin) return "untested";
  if (tools.some(({ state }) => state === "new" || state === "changed")) return "held";
  return running?.isOpen() === true ? "running" : "ready";
}

function toolViews({ offered, accepted }: McpPin, isUsable: ViewInput["isUsable"]): McpToolView[] {
  const now = offered.map((definition): McpToolView => {
    const before = accepted.find(({ name }) => name === definition.name);
    if (!isUsable(definition)) return { ...definition, state: "unusable", accepted: null };
    if (!before) return { ...definition, state: "new", accepted: null };
    return sameDefinition(before, definition)
      ? { ...definition, state: "accepted", accepted: null }
      : { ...definition, state: "changed", accepted: before };
  });
  const gone = accepted
    .filter((definition) => !offered.some(({ name }) => name === definition.name))
    .map((definition): McpToolView => ({ ...definition, state: "gone", accepted: null }));
  return [...now, ...gone];
}
