import type { ApiQuery, ClientActionView } from "@bron/protocol";
import type { ClientResult } from "../../client-action/close-client-action.ts";

/** The query of `GET /api/client-actions`. `limit` defaults to 500. */
interface ListClientActions extends Readonly<
  Partial<Omit<ApiQuery<"GET /api/client-actions">, "open">>
> {
  readonly openOnly?: boolean | undefined;
}

/** Which action, in which run. Both IDs must fit together. */
export interface ClientActionRef {
  readonly runId: string;
  readonly actionId: string;
}

/** Actions that other programs carry out. Secrets are here only as hashes. */
export interface ClientActions {
  get(ownerId: string, ref: ClientActionRef): Promise<ClientActionView | undefined>;
  /** Oldest first. With `runId`, also those of all runs below that run. */
  list(ownerId: string, options: ListClientActions): Promise<ClientActionView[]>;
  /**
   * Records that a program has taken an action. The same `takenBy` may repeat it. Throws not_found,
   * or conflict if another program has it or it is too late.
   */
  take(
    ownerId: string,
    ref: ClientActionRef & { readonly takenBy: string },
  ): Promise<ClientActionView>;
  /**
   * Finishes a taken action, once, and wakes the run in the same transaction. Throws not_found,
   * forbidden for another secret, or conflict if it is finished or late.
   */
  finish(
    ownerId: string,
    ref: ClientActionRef & { readonly secretHash: string } & ClientResult,
  ): Promise<ClientActionView>;
  /** Expires overdue actions and wakes their runs. Returns the number of actions. */
  expireDue(): Promise<number>;
}
