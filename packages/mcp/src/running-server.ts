import { BronError, type Clock } from "@bron/core";
import type { McpDefinition } from "@bron/protocol";
import { failureText, notDone } from "./call-failure.ts";
import { readDefinitions } from "./definition.ts";
import type { Connection, OpenInput } from "./open-connection.ts";

/** Why a server cannot be used now. */
interface ServerProblem {
  readonly kind: "failed" | "needs_sign_in";
  readonly text: string;
}

interface Listing {
  readonly definitions: readonly McpDefinition[];
  readonly notes: readonly string[];
}

export interface OpenedServer extends Listing {
  readonly connection: Connection;
}

interface RunningServerInput {
  readonly open: (
    hooks: Pick<OpenInput, "onToolsChanged" | "onClose" | "onUnauthorized">,
  ) => Promise<Connection>;
  readonly clock: Clock;
  /** Called with what the server offers, after every listing. */
  readonly onListed: (listing: Listing) => Promise<void>;
}

/** One server of this process: started when it is first needed, then kept open. */
export interface RunningServer {
  /** Starts it if necessary. Throws effect_not_done, because nothing has been asked of it yet. */
  opened(options?: { readonly evenIfWaiting?: boolean }): Promise<OpenedServer>;
  isOpen(): boolean;
  problem(): ServerProblem | undefined;
  /** Whether the server asked for a sign-in. */
  wantsSignIn(): boolean;
  /** Ends a connection that can no longer be used. */
  drop(): Promise<void>;
}

const firstDelayMs = 1_000;
const maxDelayMs = 60_000;
/** A server that says again and again that its tools changed is asked this often. */
const relistMs = 5_000;

export function createRunningServer({ open, clock, onListed }: RunningServerInput): RunningServer {
  let opening: Promise<OpenedServer> | undefined;
  let current: OpenedServer | undefined;
  const health = createHealth(clock);
  let isStale = false;
  let listedAt = 0;

  const list = async (connection: Connection): Promise<OpenedServer> => {
    isStale = false;
    listedAt = clock.monotonic();
    const listing = readDefinitions(await connection.listTools());
    await onListed(listing);
    return { connection, ...listing };
  };

  const start = async (): Promise<OpenedServer> => {
    health.forgetSignIn();
    let connection: Connection | undefined;
    let isClosed = false;
    try {
      connection = await open({
        onToolsChanged: () => {
          isStale = true;
        },
        onUnauthorized: health.askForSignIn,
        onClose: () => {
          isClosed = true;
          if (current && current.connection === connection) {
            current = undefined;
            health.fail(new Error(endText(connection)));
          }
        },
      });
      const opened = await list(connection);
      if (isClosed) throw new BronError("tool_failed", endText(connection));
      current = opened;
      health.recover();
      return opened;
    } catch (error) {
      await connection?.close();
      throw health.fail(error);
    }
  };

  const relist = async (opened: OpenedServer): Promise<OpenedServer> => {
    try {
      current = await list(opened.connection);
      return current;
    } catch (error) {
      current = undefined;
      await opened.connection.close();
      throw health.fail(error);
    }
  };

  return {
    isOpen: () => current !== undefined,
    problem: health.problem,
    wantsSignIn: health.wantsSignIn,
    async opened({ evenIfWaiting = false } = {}) {
      if (opening) return await opening;
      const isDue = current && isStale && clock.monotonic() - listedAt >= relistMs;
      if (current && !isDue && !evenIfWaiting) return current;
      if (!current && !evenIfWaiting) health.checkWait();
      opening = current ? relist(current) : start();
      try {
        return await opening;
      } finally {
        opening = undefined;
      }
    },
    async drop() {
      const { connection } = current ?? {};
      current = undefined;
      await connection?.close().catch(() => undefined);
    },
  };
}

function endText(connection: Connection | undefined): string {
  const words = connection?.lastWords() ?? "";
  return words === "" ? "The connection ended." : `The program ended: ${words}`;
}

/** Counts failures, and says how long to wait after one. */
function createHealth(clock: Clock) {
  let failures = 0;
  let retryAt = 0;
  let problem: ServerProblem | undefined;
  let wantsSignIn = false;
  return {
    problem: () => problem,
    wantsSignIn: () => wantsSignIn,
    askForSignIn(): void {
      wantsSignIn = true;
    },
    forgetSignIn(): void {
      wantsSignIn = false;
    },
    recover(): void {
      failures = 0;
      problem = undefined;
    },
    fail(error: unknown): BronError {
      failures += 1;
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
      retryAt = clock.monotonic() + delayMs;
      problem = wantsSignIn
        ? { kind: "needs_sign_in", text: "It asks you to sign in." }
        : { kind: "failed", text: failureText(error) };
      return notDone(problem.text, { retryAfterMs: delayMs, cause: error });
    },
    /** Throws effect_not_done if the last failure was a moment ago. */
    checkWait(): void {
      const waitMs = retryAt - clock.monotonic();
      if (waitMs <= 0) return;
      throw notDone(`${problem?.text ?? "It could not be used."} Bron tries again soon.`, {
        retryAfterMs: waitMs,
      });
    },
  };
}
