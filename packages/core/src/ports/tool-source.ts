import type { Tool } from "../tool/tool.ts";
import type { RunHeader } from "./runs/run-log.ts";

/**
 * Tools that a run brings, beside those that all runs can have: of a workspace, an MCP server or a
 * page. The Bron's choice does not limit them. If two tools have the same name, the earlier source
 * counts, and the tools of the runtime come first.
 */
export interface ToolSource {
  /**
   * The tools of a run now. Called at every claim, and before every decision if `isLive`. It must
   * be fast: a source that asks a server remembers the last response. Throws only when the database
   * is unreachable.
   */
  toolsFor(run: RunHeader): Promise<readonly Tool[]>;
  /** True if the tools of a run can change while a worker advances it. */
  readonly isLive?: boolean;
}
