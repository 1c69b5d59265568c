import { BronError } from "@bron/core";
import { signInLink } from "@bron/server";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findServer } from "../server/home-claim.ts";
import { homeSign } from "../server/home-sign.ts";
import { verifyServer } from "../server/server-runtime.ts";
import { json, line } from "../terminal.ts";

/** Prints a link that signs one browser in to the server of this home. */
export async function openPage(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal, config } = context;
  const server = await findServer(config.home);
  if (!server)
    throw new BronError("not_found", "Bron isn't running.", {
      details: { hint: "Start it with: bron start" },
    });
  const sign = await homeSign(config);
  if (!sign)
    throw new BronError(
      "secret_key_missing",
      "This terminal doesn't have the secret key of the running server.",
      { details: { hint: "Set DATABASE_URL and BRON_SECRET_KEY to the server's values." } },
    );
  await verifyServer(server, sign);
  const link = signInLink({ sign, url: server.url, now: terminal.now().getTime() });
  if (options.json === true) json(terminal, { url: server.url, signIn: link });
  else line(terminal, `Open this link to sign in (expires in 10 minutes, works once):\n${link}`);
  return 0;
}
