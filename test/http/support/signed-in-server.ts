import { request, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { HarnessWorker } from "../../crash/support/crash-harness.ts";

/** The address of a server and the owner's session cookie. */
export interface Address {
  readonly url: string;
  readonly cookie: string;
}

/** A server process at which the owner is signed in. */
export interface SignedInServer extends Address {
  readonly process: HarnessWorker;
}

export async function signIn(process: HarnessWorker): Promise<SignedInServer> {
  const [url, link] = [await process.waitForLine("url"), await process.waitForLine("signIn")];
  if (typeof url !== "string" || typeof link !== "string")
    throw new Error("The server ended before it was ready");
  return { process, url, cookie: await cookieFrom(link) };
}

/** Opens a sign-in link as a browser would. */
export async function cookieFrom(link: string): Promise<string> {
  const response = await fetch(link, { redirect: "manual" });
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  if (cookie === "") throw new Error(`Signing in was answered with ${response.status}`);
  return cookie;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Rejects when the connection fails, for example because the server is gone. */
export async function post(
  signedIn: Address,
  path: string,
  body: object,
  headers: OutgoingHttpHeaders = {},
): Promise<Answered> {
  return await ask(signedIn, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export async function get(signedIn: Address, path: string): Promise<Answered> {
  return await ask(signedIn, path, { method: "GET", headers: {}, body: "" });
}

async function ask(
  signedIn: Address,
  path: string,
  { method, headers, body }: { method: string; headers: OutgoingHttpHeaders; body: string },
): Promise<Answered> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      `${signedIn.url}${path}`,
      { method, agent: false, headers: { cookie: signedIn.cookie, ...headers } },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode ?? 0, body: text === "" ? undefined : JSON.parse(text) };
}
