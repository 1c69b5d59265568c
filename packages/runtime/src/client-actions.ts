import {
  BronError,
  isClientResultSmall,
  parseClientResult,
  sha256,
  type ClientActionRef,
  type ClientActions,
  type ListClientActions,
  type Tool,
} from "@bron/core";
import {
  formatBytes,
  maxClientResultBytes,
  type ClientActionView,
  type JsonValue,
  type Sign,
} from "@bron/protocol";
import { randomUUID } from "node:crypto";

/** What a program sends: the result, or why it did nothing. */
export type ClientReport = { readonly result: JsonValue } | { readonly error: string };

/** Actions that other programs carry out: a page, an editor. */
export interface ClientActionService {
  list(ownerId: string, options: ListClientActions): Promise<ClientActionView[]>;
  /**
   * Gives the secret of an action to the one program that carries it out. The same key gets it
   * again. Throws not_found, or conflict if another program has it or it is too late.
   */
  take(
    ownerId: string,
    ref: ClientActionRef,
    options?: { readonly idempotencyKey?: string | undefined },
  ): Promise<{ readonly action: ClientActionView; readonly secret: string }>;
  /**
   * Finishes an action once. Throws not_found, forbidden for another secret, conflict if it is
   * finished or late, too_large, or invalid_input if the result does not fit the tool. The program
   * may try again after the last two.
   */
  finish(
    ownerId: string,
    ref: ClientActionRef,
    report: { readonly secret: string } & ClientReport,
  ): Promise<ClientActionView>;
}

interface ClientActionsDeps {
  readonly clientActions: ClientActions;
  readonly sign: Sign;
  readonly tools: ReadonlyMap<string, Tool>;
}

export function createClientActions({
  clientActions,
  sign,
  tools,
}: ClientActionsDeps): ClientActionService {
  return {
    list: clientActions.list,
    async take(ownerId, ref, { idempotencyKey = randomUUID() } = {}) {
      const takenBy = await hash(`${ref.actionId}\n${idempotencyKey}`);
      const action = await clientActions.take(ownerId, { ...ref, takenBy });
      return { action, secret: clientSecret(sign, ref) };
    },
    async finish(ownerId, ref, { secret, ...report }) {
      const secretHash = await hash(secret);
      if ("result" in report) {
        const action = await clientActions.get(ownerId, ref);
        if (!action) throw new BronError("not_found", `Action ${ref.actionId} not found.`);
        // The store answers all other requests, so that only the program learns about the schema.
        if (action.state === "taken" && secret === clientSecret(sign, ref))
          checkResult(report.result, tools.get(action.tool));
      }
      return await clientActions.finish(ownerId, { ...ref, secretHash, ...report });
    },
  };
}

/** The hash that the start of an action has in the log. */
export async function clientSecretHash(sign: Sign, ref: ClientActionRef): Promise<string> {
  return await hash(clientSecret(sign, ref));
}

/** Any process of this installation can derive it, so it is stored nowhere. */
function clientSecret(sign: Sign, { runId, actionId }: ClientActionRef): string {
  return sign("client-action", `${runId.toLowerCase()}\n${actionId.toLowerCase()}`);
}

const hash = (text: string) => sha256(new TextEncoder().encode(text));

/** The loop checks the result again, because this process may not know the tool. */
function checkResult(result: JsonValue, tool: Tool | undefined): void {
  if (!isClientResultSmall(result))
    throw new BronError(
      "too_large",
      `This result is too long. The limit is ${formatBytes(maxClientResultBytes)}.`,
    );
  const parsed = tool?.client && parseClientResult(tool.client, result);
  if (parsed && !parsed.ok)
    throw new BronError("invalid_input", `Invalid result: ${parsed.detail}`);
}
