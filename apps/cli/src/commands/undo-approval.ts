import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachBron } from "../reach-bron.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

/** Takes an approval back while it may not begin yet. Needs no question: nothing happens by it. */
export async function undoApproval(
  door: Door,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = door;
  const approval = await reachBron(
    door,
    { work: "none" },
    async ({ bron }) => await bron.approvals.undo((await findApproval(bron, id)).id),
  );
  if (options.json === true) json(terminal, { approval });
  else
    line(terminal, `Taken back: approval ${shortId(approval.id)} is denied, and nothing is done.`);
  return 0;
}
