import { BronError } from "@bron/core";
import { withBron } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { json, line } from "../terminal.ts";
import { connectDemo } from "../sandbox/connect-demo.ts";
import { clearSimulator, findSimulator } from "../sandbox/shared-simulator.ts";

/** Back to the seeded mailbox, dated by now, and connected again. Runs and their logs stay. */
export async function resetSandbox(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal, config } = context;
  if (config.google)
    throw new BronError(
      "config_invalid",
      "Mail is not simulated here: an app at Google is configured.",
    );
  const running = await findSimulator(config.home);
  if (running) {
    const answer = await fetch(`${running.url}/_control/reset`, {
      method: "POST",
      headers: { "x-control-key": running.controlKey },
    });
    if (!answer.ok)
      throw new BronError("internal", `The simulated world refused: ${answer.status}`);
  } else if (!(await clearSimulator(config.home))) {
    throw new BronError(
      "home_busy",
      "Nothing was reset: another Bron of this home runs the simulated accounts, and they do not answer.",
      { details: { hint: "Try again in a moment, or stop that Bron first." } },
    );
  }
  await withBron(
    context,
    { work: "none", withOutside: true },
    async ({ runtime }) => await connectDemo(runtime, config, { again: true }),
  );
  if (options.json === true) json(terminal, { reset: true });
  else
    line(terminal, "The simulated mailbox, calendar and Slack are as they were in the beginning.");
  return 0;
}
