import { reportOutcomeName, skillReadName } from "@bron/protocol";
import { outputReadName } from "../tool/output-read-tool.ts";

/**
 * Tools that belong to the loop, whatever the Bron has: a preview of a long output names
 * `output_read`, the system instruction names `skill_read`, and each run ends with an outcome.
 */
export const loopTools: ReadonlySet<string> = new Set([
  outputReadName,
  skillReadName,
  reportOutcomeName,
]);
