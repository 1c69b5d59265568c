import { BronError } from "@bron/core";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { withBron } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { ownerId } from "../owner.ts";
import { json, line, note } from "../terminal.ts";

const patienceMs = 10 * 60_000;
const names: Readonly<Record<string, string>> = { google: "Google", slack: "Slack" };

/** Prints the address of the consent page and waits for the answer on a port of its own. */
export async function connectAccount(
  context: CommandContext,
  provider: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const name = names[provider];
  if (name === undefined)
    throw new BronError("invalid_input", `There is no provider "${provider}".`, {
      details: { hint: `There are: ${Object.keys(names).join(", ")}` },
    });
  const { terminal } = context;
  return await withBron<ExitCode>(
    context,
    { work: "none", withOutside: true },
    async ({ runtime, simulator }) => {
      const connection = (await runtime.connections.list(ownerId)).find(
        (one) => one.provider === provider,
      );
      if (!connection)
        throw new BronError("config_invalid", `${name} is not configured.`, {
          details: { hint: `docs/connecting-${provider}.md says how.` },
        });
      const isSimulated =
        simulator !== undefined && !(provider === "slack" && context.config.slack);
      note(
        terminal,
        isSimulated ? `Demo: this connects the simulated ${name}.` : `Bron will ask ${name} for:`,
      );
      if (!isSimulated) for (const { why } of connection.scopes) note(terminal, `  ${why}`);
      const callback = await listenForAnswer();
      try {
        const { url } = await runtime.connections.begin(ownerId, provider, callback.redirectUri);
        if (options.json === true) json(terminal, { open: url });
        else line(terminal, `Open this in your browser, within ten minutes:\n${url}`);
        const answer = await Promise.race([callback.answer, timeout(terminal.stop)]);
        if (answer === undefined) throw new BronError("interrupted", "Nothing was connected.");
        if (answer.error !== null)
          throw new BronError("forbidden", "Nothing was connected: it was declined.");
        const { account } = await runtime.connections.finish(provider, {
          state: answer.state ?? "",
          code: answer.code ?? "",
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

interface Answer {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

async function listenForAnswer(): Promise<{
  redirectUri: string;
  answer: Promise<Answer>;
  close(): void;
}> {
  const { promise: answer, resolve } = Promise.withResolvers<Answer>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname !== "/callback") return void response.writeHead(404).end();
    response
      .writeHead(200, { "content-type": "text/plain; charset=utf-8" })
      .end("You can close this page and go back to the terminal.\n");
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
    answer,
    close,
  };
}

function timeout(stop: AbortSignal): Promise<undefined> {
  const ended = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
  return new Promise((resolve) => {
    ended.addEventListener("abort", () => resolve(undefined));
    if (ended.aborted) resolve(undefined);
  });
}
