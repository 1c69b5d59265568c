import type { Runtime } from "bron";
import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { ownerId } from "../owner.ts";
import { simulatorFolder } from "./shared-simulator.ts";

const redirectUri = "http://127.0.0.1/demo";

/** The simulated accounts are connected from the start, once each: whoever disconnects one finds it so. */
export async function connectDemo(
  runtime: Pick<Runtime, "connections">,
  { home, slack }: Pick<Config, "home" | "slack">,
  options: { readonly again?: boolean } = {},
): Promise<void> {
  const providers = [
    { provider: "google", mark: "connected-once" },
    ...(slack ? [] : [{ provider: "slack", mark: "slack-connected-once" }]),
  ];
  for (const { provider, mark } of providers) {
    const path = join(simulatorFolder(home), mark);
    if (options.again === true) await rm(path, { force: true });
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      continue;
    const { url } = await runtime.connections.begin(ownerId, provider, redirectUri);
    const answer = await allow(url);
    await runtime.connections.finish(provider, {
      state: answer.searchParams.get("state") ?? "",
      code: answer.searchParams.get("code") ?? "",
      redirectUri,
    });
    await writeFile(path, "", { mode: 0o600 });
  }
}

/** Presses Allow on the world's own consent page, as the owner would. */
async function allow(url: string): Promise<URL> {
  const page = await (await fetch(url)).text();
  const form = new URLSearchParams({
    request: fieldOf(page, "request"),
    account: fieldOf(page, "account"),
    decision: "allow",
  });
  const answer = await fetch(new URL(/<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? "", url), {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  return new URL(answer.headers.get("location") ?? "about:blank");
}

function fieldOf(page: string, name: string): string {
  return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
}
