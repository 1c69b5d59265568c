import type { Runtime } from "@bron/runtime";
import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { ownerId } from "../owner.ts";
import { simulatorFolder } from "./shared-simulator.ts";

const redirectUri = "http://127.0.0.1/demo";

/**
 * Connects each simulated account once, on the first start. An account that the owner disconnects
 * stays disconnected.
 */
export async function connectDemo(
  runtime: Pick<Runtime, "connections" | "oauthClients">,
  { home }: Pick<Config, "home">,
  options: { readonly again?: boolean } = {},
): Promise<void> {
  const providers = [
    { provider: "google", mark: "connected-once" },
    { provider: "slack", mark: "slack-connected-once" },
  ];
  for (const { provider, mark } of providers) {
    // A real account is never connected without its owner.
    if ((await runtime.oauthClients.setupOf(provider)) !== "simulated") continue;
    const path = join(simulatorFolder(home), mark);
    if (options.again === true) await rm(path, { force: true });
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      continue;
    const { url } = await runtime.connections.startSignIn(ownerId, provider, redirectUri);
    const callback = await grantConsent(url);
    await runtime.connections.finishSignIn(provider, {
      state: callback.searchParams.get("state") ?? "",
      code: callback.searchParams.get("code") ?? "",
      redirectUri,
    });
    await writeFile(path, "", { mode: 0o600 });
  }
}

/**
 * Accepts the tool of the simulated team directory once, as the sample accounts are connected once.
 * Bron still asks before each call.
 */
export async function acceptDirectory(
  runtime: Pick<Runtime, "clientFor">,
  { home }: Pick<Config, "home">,
): Promise<void> {
  const path = join(simulatorFolder(home), "directory-accepted-once");
  const isDone = await access(path).then(
    () => true,
    () => false,
  );
  if (isDone) return;
  const { call } = runtime.clientFor(ownerId);
  const params = { name: "directory" };
  const { servers } = await call("POST /api/mcp-servers/:name/test", { params, body: {} });
  const digest = servers.find(({ name }) => name === params.name)?.digest;
  if (digest === undefined || digest === null) return;
  await call("POST /api/mcp-servers/:name/accept", { params, body: { digest } });
  await writeFile(path, "", { mode: 0o600 });
}

/**
 * Submits "Allow" on the simulator's consent page, as the owner would. Returns the callback URL.
 */
async function grantConsent(url: string): Promise<URL> {
  const page = await (await fetch(url)).text();
  const form = new URLSearchParams({
    request: fieldOf(page, "request"),
    account: fieldOf(page, "account"),
    decision: "allow",
  });
  const response = await fetch(new URL(/<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? "", url), {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  return new URL(response.headers.get("location") ?? "about:blank");
}

function fieldOf(page: string, name: string): string {
  return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
}
