import { omitUndefined } from "@bron/protocol";
import type { HttpEntry, ServerEntry } from "./server-entry.ts";

/** Reads a variable of the environment. */
export type ReadVariable = (name: string) => string | undefined;

export type Expanded =
  | { readonly ok: true; readonly entry: ServerEntry }
  | { readonly ok: false; readonly problem: string };

/** Bron's own secrets. A file may have come with a folder, so they are never expanded. */
const isOwnSecret = (name: string) => name.startsWith("BRON_") || name === "DATABASE_URL";

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]{0,100})(?::-([^}]{0,4000}))?\}/g;

/** Replaces `${NAME}` and `${NAME:-default}` everywhere in an entry. */
export function expandEntry(entry: ServerEntry, read: ReadVariable): Expanded {
  const missing = new Set<string>();
  const refused = new Set<string>();
  const expand = (text: string): string =>
    text.replace(variable, (_, name: string, byDefault: string | undefined) => {
      if (isOwnSecret(name)) return (refused.add(name), "");
      const value = read(name);
      if (value !== undefined && value !== "") return value;
      if (byDefault === undefined) missing.add(name);
      return byDefault ?? "";
    });
  const expandAll = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));
  const expanded: ServerEntry =
    entry.kind === "http"
      ? {
          ...entry,
          url: expand(entry.url),
          headers: expandAll(entry.headers),
          ...omitUndefined({ oauth: entry.oauth && expandOauth(entry.oauth, expand) }),
        }
      : {
          ...entry,
          command: expand(entry.command),
          args: entry.args.map(expand),
          env: expandAll(entry.env),
        };
  if (refused.size > 0)
    return { ok: false, problem: `${[...refused].join(", ")} is Bron's own and is not passed on.` };
  if (missing.size > 0)
    return {
      ok: false,
      problem: `Not set: ${[...missing].join(", ")}. Set it where Bron starts, or write a default: \${NAME:-default}`,
    };
  return checkUrl(expanded);
}

function expandOauth(
  { clientId, clientSecret, ...rest }: NonNullable<HttpEntry["oauth"]>,
  expand: (text: string) => string,
): NonNullable<HttpEntry["oauth"]> {
  const secret = clientSecret === undefined ? undefined : expand(clientSecret);
  return { ...rest, clientId: expand(clientId), ...omitUndefined({ clientSecret: secret }) };
}

function checkUrl(entry: ServerEntry): Expanded {
  if (entry.kind === "stdio") return { ok: true, entry };
  const url = URL.canParse(entry.url) ? new URL(entry.url) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    return { ok: false, problem: "Its url must start with https:// or http://." };
  if (url.username !== "" || url.password !== "")
    return { ok: false, problem: "Its url must not contain a password. Use headers." };
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return { ok: false, problem: "Its url must start with https://, except on this computer." };
  return { ok: true, entry };
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
