import { findServerProblems } from "@bron/mcp";
import type { McpServerView } from "@bron/protocol";
import { findRespondingServer } from "../server/home-claim.ts";
import { homeSign } from "../server/home-sign.ts";
import { serverRuntime } from "../server/server-runtime.ts";
import type { ConfigReading } from "../config-reading.ts";
import type { Check } from "./checks.ts";

const name = "MCP servers";

/** What is wrong with MCP servers. A running server also knows which of them failed. */
export async function checkMcp({
  config,
  readVariable,
}: Pick<ConfigReading, "config" | "readVariable">): Promise<Check[]> {
  const views = await viewsOf(config).catch(() => undefined);
  if (views) return views.length === 0 ? none : views.map(checkOf);
  const servers = await findServerProblems(config.home, readVariable);
  if (servers.length === 0) return none;
  return servers.map(({ title, problem }) =>
    problem === undefined
      ? { name, level: "ok", text: title }
      : { name, level: "warn", text: `${title}: ${problem}`, next: "See: bron mcp list" },
  );
}

const none: Check[] = [{ name, level: "ok", text: "none" }];

async function viewsOf(
  config: ConfigReading["config"],
): Promise<readonly McpServerView[] | undefined> {
  const server = await findRespondingServer(config.home);
  const sign = server && (await homeSign(config));
  if (!sign) return undefined;
  const { servers } = await serverRuntime({ home: config.home, sign }).call("GET /api/mcp-servers");
  return servers;
}

function checkOf({ name: server, title, state, problem }: McpServerView): Check {
  switch (state) {
    case "held":
      return {
        name,
        level: "warn",
        text: `${title} has tools that wait for you to accept them`,
        next: `Review them with: bron mcp accept ${server}`,
      };
    case "failed":
    case "invalid":
    case "untrusted":
    case "needs_sign_in":
      return {
        name,
        level: "warn",
        text: `${title}: ${problem ?? "it can't be used now"}`,
        next: "See: bron mcp list",
      };
    default:
      return { name, level: "ok", text: title };
  }
}
