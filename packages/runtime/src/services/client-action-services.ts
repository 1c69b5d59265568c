import {
  BronError,
  isClientResultSmall,
  parseClientResult,
  type ClientActions,
  type Tool,
} from "@bron/core";
import { formatBytes, maxClientResultBytes, type JsonValue, type Sign } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { clientSecret, hashText } from "../client-secret.ts";
import { nextOf, type ServicesOf } from "./service.ts";

type ClientActionKeys =
  | "GET /api/client-actions"
  | "POST /api/runs/:id/actions/:actionId/take"
  | "POST /api/runs/:id/actions/:actionId/finish";

interface ClientActionServicesDeps {
  readonly clientActions: ClientActions;
  readonly sign: Sign;
  readonly tools: ReadonlyMap<string, Tool>;
}

/** Actions that other programs carry out: a page, an editor. */
export function clientActionServices({
  clientActions,
  sign,
  tools,
}: ClientActionServicesDeps): ServicesOf<ClientActionKeys> {
  return {
    async "GET /api/client-actions"({ caller: { ownerId }, query: { open, ...query } }) {
      const page = await clientActions.list(ownerId, { ...query, openOnly: open });
      return { actions: page, next: nextOf(page, query.limit) };
    },
    /** Gives the secret to the one program that carries it out. The same key gets it again. */
    async "POST /api/runs/:id/actions/:actionId/take"({
      caller: { ownerId },
      params: { id: runId, actionId },
      idempotencyKey = randomUUID(),
    }) {
      const takenBy = await hashText(`${actionId}\n${idempotencyKey}`);
      const action = await clientActions.take(ownerId, { runId, actionId, takenBy });
      return { action, secret: clientSecret(sign, { runId, actionId }) };
    },
    /** Finishes it once. The program may try again after too_large or invalid_input. */
    async "POST /api/runs/:id/actions/:actionId/finish"({
      caller: { ownerId },
      params: { id: runId, actionId },
      body: { secret, result, error },
    }) {
      const ref = { runId, actionId };
      const finished = { ...ref, secretHash: await hashText(secret) };
      if (result === undefined) {
        if (error === undefined)
          throw new BronError("invalid_input", "Give either result or error.");
        return await clientActions.finish(ownerId, { ...finished, error });
      }
      const action = await clientActions.get(ownerId, ref);
      if (!action) throw new BronError("not_found", `Action ${actionId} not found.`);
      // The store answers all other requests, so that only the program learns about the schema.
      if (action.state === "taken" && secret === clientSecret(sign, ref))
        checkResult(result, tools.get(action.tool));
      return await clientActions.finish(ownerId, { ...finished, result });
    },
  };
}

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
