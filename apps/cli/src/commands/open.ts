import { BronError } from "@bron/core";
import { signInLink } from "@bron/server";
import { withBron } from "../compose.ts";
import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { findServer } from "../server/home-claim.ts";
import { isServerAlive } from "../server/server-alive.ts";
import { json, line } from "../terminal.ts";

/** A link that signs one browser in, for the Bron that runs on this home. */
export async function openPage(door: Door, options: { readonly json?: boolean }): Promise<ExitCode> {
  const { terminal, config } = door;
  const server = await findServer(config.home);
  if (!server || !(await isServerAlive(server))) throw new BronError("not_found", "No Bron runs on this home.", { details: { hint: "Start it first: bron start" } });
  const link = await withBron(door, { work: "none" }, async ({ bron }) => signInLink({ sign: bron.sign, url: server.url, now: terminal.now().getTime() }));
  if (options.json === true) json(terminal, { url: server.url, signIn: link });
  else line(terminal, `Open it once, within ten minutes:\n${link}`);
  return 0;
}
