import { BronError } from "@bron/core";
import { serverIdHeader } from "@bron/protocol";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { addressOf } from "./access/loopback.ts";

/** Returns the port. Throws port_taken with what holds it, or config_invalid. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen({ host, port }, () => {
      server.off("error", resolve);
      resolve(undefined);
    });
  });
  if (failure) throw await listenError(failure, host, port);
  return (server.address() as AddressInfo).port;
}

/** Throws the errors of `listen`, before anything else is started. */
export async function checkPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

async function listenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
): Promise<BronError> {
  const options = { details: { host, port }, cause: error };
  if (error.code === "EACCES")
    return new BronError(
      "port_taken",
      `This user isn't allowed to use PORT ${port} on ${host}.`,
      options,
    );
  if (error.code !== "EADDRINUSE")
    return new BronError(
      "config_invalid",
      `Can't listen on HOST ${host}: ${error.message}`,
      options,
    );
  const holder = (await isBron(addressOf(host, port)))
    ? "a Bron with another home"
    : "another program";
  return new BronError("port_taken", `PORT ${port} on ${host} is in use by ${holder}.`, options);
}

const probeMs = 3_000;

/** Whether the program at this address responds and identifies itself as Bron. */
async function isBron(url: string): Promise<boolean> {
  const response = await fetch(new URL("/healthz", url), {
    signal: AbortSignal.timeout(probeMs),
    redirect: "error",
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true && response.headers.has(serverIdHeader);
}
