import { BronError } from "@bron/core";
import { describeModels, withRuntime } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { usesSandbox } from "../outside.ts";
import { json, line } from "../terminal.ts";
import { connectDemo } from "../sandbox/connect-demo.ts";
import { findOrClearSimulator } from "../sandbox/shared-simulator.ts";

/**
 * Seeds the sandbox again, dated from now, and reconnects its accounts. Keeps runs and their logs.
 */
export async function resetSandbox(
  context: CommandContext,
  options: { readonly json?: boolean },
  waitMs?: number,
): Promise<ExitCode> {
  const { terminal, config } = context;
  if (!usesSandbox(config, { isDemo: describeModels(config).main.demo }))
    throw new BronError(
      "config_invalid",
      config.google
        ? "There is no sandbox to reset, because a Google OAuth client is configured."
        : "There is no sandbox to reset, because a model is configured and BRON_SANDBOX is not true.",
    );
  const running = await findOrClearSimulator(config.home, waitMs);
  if (running === undefined)
    throw new BronError(
      "home_busy",
      "The sandbox wasn't reset, because another Bron process holds it and does not respond.",
      { details: { hint: "Try again in a moment, or stop that process first." } },
    );
  if (running !== "cleared") {
    const response = await fetch(`${running.url}/_control/reset`, {
      method: "POST",
      headers: { "x-control-key": running.controlKey },
    });
    if (!response.ok)
      throw new BronError("internal", `The simulator refused to reset: ${response.status}`);
  }
  await withRuntime(
    context,
    { work: "none", withOutside: true },
    async ({ runtime }) => await connectDemo(runtime, config, { again: true }),
  );
  if (options.json === true) json(terminal, { reset: true });
  else line(terminal, "Sandbox reset.");
  return 0;
}
