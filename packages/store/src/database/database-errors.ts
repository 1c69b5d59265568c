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
/** The driver and Kysely have no error codes for these. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Postgres connection has been discarded)/;
/** Serialization failure, deadlock, out of memory, too many connections, lock timeout, statement timeout. */
const busyStates = new Set(["40001", "40P01", "53200", "53300", "53400", "55P03", "57014"]);
/** A session was idle in a transaction for too long, which closes its connection. */
const endedStates = new Set(["25P03"]);

/**
 * Translates driver errors of an unavailable, overloaded or full database into a retryable
 * BronError. The driver's message contains addresses and ports, so it is kept as the cause and
 * never shown to a client. Other errors are returned unchanged.
 */
export function toDatabaseError(error: unknown): unknown {
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

/**
 * The error and its causes. Libraries wrap errors of the driver. DBOS uses a property with its own
 * name.
 */
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

/** Runs the work and translates its errors with `toDatabaseError`. */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toDatabaseError(error);
  }
}

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * Wraps a port so that its methods translate errors with `toDatabaseError`. The message of a
 * rejected statement may contain values, so it is kept as the cause only.
 */
export function wrapDatabaseErrors<Port extends object>(port: Port): Port {
  const call = async (method: Methods[string], args: never[]) => {
    try {
      return await method.apply(port, args);
    } catch (error) {
      const named = toDatabaseError(error);
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
