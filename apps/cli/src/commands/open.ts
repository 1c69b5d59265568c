import { BronError } from "@bron/core";
import { signInLink } from "@bron/server";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findServer } from "../server/home-claim.ts";
import { homeSign } from "../server/home-sign.ts";
import { refuseOthers } from "../server/server-runtime.ts";
import { json, line } from "../terminal.ts";

/** A link that signs one browser in, for the Bron that runs on this home. */
export async function openPage(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal, config } = context;
  const server = await findServer(config.home);
  if (!server)
    throw new BronError("not_found", "No Bron runs on this home.", {
      details: { hint: "Start it first: bron start" },
    });
  const sign = await homeSign(config);
  if (!sign)
    throw new BronError(
      "secret_key_missing",
      "This terminal does not have the secret of the Bron that runs here.",
      { details: { hint: "Set DATABASE_URL and BRON_SECRET_KEY as where it was started." } },
    );
  await refuseOthers(server, sign);
  const link = signInLink({ sign, url: server.url, now: terminal.now().getTime() });
  if (options.json === true) json(terminal, { url: server.url, signIn: link });
  else line(terminal, `Open it once, within ten minutes:\n${link}`);
  return 0;
}
