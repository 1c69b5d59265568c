import { BronError, messageOf } from "@bron/core";
import pg from "pg";

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** The driver and Kysely have no codes for these. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Postgres connection has been discarded)/;
/** Serialization failure, deadlock, out of memory, too many connections, lock timeout, statement timeout. */
const busyStates = new Set(["40001", "40P01", "53200", "53300", "53400", "55P03", "57014"]);
/** A session that was idle in a transaction for too long, which ends its connection. */
const endedStates = new Set(["25P03"]);

/**
 * The one translation of what a driver throws when the database is away, busy or full: a retryable BronError in plain words.
 * The driver's own message names addresses and ports, so it is kept as the cause and never shown to a client.
 * Every other error is returned as it is.
 */
export function nameOutage(error: unknown): unknown {
  for (const inner of causesOf(error)) {
    if (BronError.is(inner)) return error;
    const code = codeOf(inner);
    if (code === "53100")
      return new BronError("disk_full", "The database's disk is full. Nothing was written.", {
        cause: error,
      });
    if (busyStates.has(code))
      return new BronError("database_busy", "The database is overloaded right now.", {
        cause: error,
      });
    if (isConnectionFailure(code, inner))
      return new BronError("database_unreachable", "The database is not responding.", {
        cause: error,
      });
  }
  return error;
}

function isConnectionFailure(code: string, error: unknown): boolean {
  return (
    code.startsWith("08") ||
    code.startsWith("57P") ||
    endedStates.has(code) ||
    connectionCodes.has(code) ||
    driverMessages.test(messageOf(error))
  );
}

const maxCauses = 5;

/** The error and what caused it: libraries wrap what the driver throws, DBOS under a name of its own. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let next = error; typeof next === "object" && next !== null && causes.length < maxCauses;) {
    causes.push(next);
    const { cause, error: inner } = next as { readonly cause?: unknown; readonly error?: unknown };
    next = next instanceof AggregateError ? next.errors[0] : (cause ?? inner);
  }
  return causes;
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** Runs the work, and throws what `nameOutage` makes of its failure. */
export async function withNamedOutages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw nameOutage(error);
  }
}

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** The same port, whose methods throw what `nameOutage` makes of a failure. A refused statement keeps its words, which may quote values, to itself. */
export function namingOutages<Port extends object>(port: Port): Port {
  const call = async (method: Methods[string], args: never[]) => {
    try {
      return await method.apply(port, args);
    } catch (error) {
      const named = nameOutage(error);
      throw named instanceof pg.DatabaseError
        ? new BronError("internal", "The database rejected a statement.", { cause: named })
        : named;
    }
  };
  const named = Object.entries(port as Methods).map(([name, method]) => [
    name,
    (...args: never[]) => call(method, args),
  ]);
  return Object.fromEntries(named) as Port;
}
