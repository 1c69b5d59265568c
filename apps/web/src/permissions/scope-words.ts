import { visible, type RuleView } from "@bron/protocol";
import { permissionsWords } from "../words/permissions.ts";
import { toolLabel, toolPhrase } from "../words/tools.ts";

type Scope = Pick<RuleView, "tool" | "host" | "server">;

/** "Reading a web page at *.example.com", "All tools of the server github" */
export function scopeLabel(scope: Scope): string {
  if (scope.server === null) return withHost(scope, toolLabel(scope.tool));
  const words = serverTools(scope);
  // The name of a single tool keeps its letters.
  const isGroup = scope.tool.endsWith("*");
  return withHost(scope, isGroup ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : words);
}

/** The same in the middle of a sentence. */
export function scopePhrase(scope: Scope): string {
  return withHost(scope, scope.server === null ? toolPhrase(scope.tool) : serverTools(scope));
}

function serverTools({ tool, server }: Scope): string {
  return permissionsWords.serverTools(visible(tool), visible(server ?? ""));
}

function withHost({ host }: Scope, tool: string): string {
  return host === null ? tool : permissionsWords.atHost(tool, visible(host));
}
