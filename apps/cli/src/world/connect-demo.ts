import type { Bron } from "bron";
import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownerId } from "../owner.ts";
import { worldFolder } from "./shared-world.ts";

const redirectUri = "http://127.0.0.1/demo";

/** The demo mailbox is connected from the start, once: whoever disconnects it finds it so. */
export async function connectDemo(bron: Pick<Bron, "connections">, home: string, options: { readonly again?: boolean } = {}): Promise<void> {
  const mark = join(worldFolder(home), "connected-once");
  if (options.again === true) await rm(mark, { force: true });
  if (await access(mark).then(() => true, () => false)) return;
  const { url } = await bron.connections.begin(ownerId, "google", redirectUri);
  const answer = await allow(url);
  await bron.connections.finish("google", { state: answer.searchParams.get("state") ?? "", code: answer.searchParams.get("code") ?? "", redirectUri });
  await writeFile(mark, "");
}

/** Presses Allow on the world's own consent page, as the owner would. */
async function allow(url: string): Promise<URL> {
  const page = await (await fetch(url)).text();
  const form = new URLSearchParams({ request: fieldOf(page, "request"), account: fieldOf(page, "account"), decision: "allow" });
  const answer = await fetch(new URL(/<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? "", url), { method: "POST", body: form, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "about:blank");
}

function fieldOf(page: string, name: string): string {
  return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
}
