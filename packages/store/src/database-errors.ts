import { BronError, messageOf } from "@bron/core";

const gone = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);
/** Words of the driver, which has no codes for these. */
const driverWords = /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the database is away, as opposed to a statement that it refused. */
function isDatabaseAway(error: unknown): boolean {
  if (BronError.is(error) || typeof error !== "object" || error === null) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return code.startsWith("08") || code.startsWith("57P") || gone.has(code) || driverWords.test(messageOf(error));
}

function isDiskFull(error: unknown): boolean {
  return !BronError.is(error) && (error as { code?: unknown } | null)?.code === "53100";
}

type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

/** The same port, on which a database that is away is a coded error that may be tried again. */
export function namingOutages<Port extends object>(port: Port): Port {
  const named = Object.entries(port as Methods).map(([name, method]) => [
    name,
    async (...args: never[]) => {
      try {
        return await method.apply(port, args);
      } catch (error) {
        if (isDiskFull(error)) throw new BronError("disk_full", "The database's disk is full; nothing was written.", { cause: error });
        if (!isDatabaseAway(error)) throw error;
        throw new BronError("database_unreachable", `The database does not answer: ${messageOf(error)}`, { cause: error });
      }
    },
  ]);
  return Object.fromEntries(named) as Port;
}
