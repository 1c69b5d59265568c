import { BronError } from "@bron/core";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { withRuntime } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { ownerId } from "../owner.ts";
import { json, line, note } from "../terminal.ts";

const timeoutMs = 10 * 60_000;
const names: Readonly<Record<string, string>> = { google: "Google", slack: "Slack" };

/**
 * Prints the URL of the consent page and waits for the provider's callback on a free local port.
 */
export async function connectAccount(
  context: CommandContext,
  provider: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const name = names[provider];
  if (name === undefined)
    throw new BronError("invalid_input", `Unknown provider "${provider}".`, {
      details: { hint: `Must be one of: ${Object.keys(names).join(", ")}` },
    });
  const { terminal } = context;
  return await withRuntime<ExitCode>(
    context,
    { work: "none", withOutside: true },
    async ({ runtime }) => {
      const { connections } = await runtime.clientFor(ownerId).call("GET /api/connections");
      const connection = connections.find((known) => known.provider === provider);
      if (!connection || connection.setup === "missing")
        throw new BronError("config_invalid", `${name} is not configured.`, {
          details: { hint: `See docs/connecting-${provider}.md` },
        });
      const isSimulated = connection.setup === "simulated";
      note(
        terminal,
        isSimulated
          ? `Demo: this connects the simulated ${name}.`
          : `Bron will ask ${name} for permission to:`,
      );
      if (!isSimulated) for (const { why } of connection.scopes) note(terminal, `  ${why}`);
      const callback = await listenForCallback();
      try {
        const { url } = await runtime.connections.startSignIn(
          ownerId,
          provider,
          callback.redirectUri,
        );
        if (options.json === true) json(terminal, { open: url });
        else line(terminal, `Open this link in your browser (expires in 10 minutes):\n${url}`);
        const result = await Promise.race([callback.result, timeout(terminal.stop)]);
        if (result === undefined) throw new BronError("interrupted", `${name} wasn't connected.`);
        if (result.error !== null)
          throw new BronError("forbidden", `You declined access, so ${name} wasn't connected.`);
        const { account } = await runtime.connections.finishSignIn(provider, {
          state: result.state ?? "",
          code: result.code ?? "",
          redirectUri: callback.redirectUri,
        });
        if (options.json === true) json(terminal, { connected: account });
        else line(terminal, `Connected: ${account}`);
        return 0;
      } finally {
        callback.close();
      }
    },
  );
}

interface CallbackResult {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

async function listenForCallback(): Promise<{
  redirectUri: string;
  result: Promise<CallbackResult>;
  close(): void;
}> {
  const { promise: result, resolve } = Promise.withResolvers<CallbackResult>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname !== "/callback") return void response.writeHead(404).end();
    response
      .writeHead(200, { "content-type": "text/plain; charset=utf-8" })
      .end("You can close this page and return to the terminal.\n");
    resolve({
      state: searchParams.get("state"),
      code: searchParams.get("code"),
      error: searchParams.get("error"),
    });
  });
  await new Promise<void>((listening, failed) =>
    server.once("error", failed).listen(0, "127.0.0.1", listening),
  );
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    result,
    close,
  };
}

function timeout(stop: AbortSignal): Promise<undefined> {
  const ended = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve) => {
    ended.addEventListener("abort", () => resolve(undefined));
    if (ended.aborted) resolve(undefined);
  });
}
