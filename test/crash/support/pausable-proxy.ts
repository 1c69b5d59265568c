import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

interface PausableProxy {
  readonly url: string;
  /** Stops the flow of bytes and leaves connections open, like a database that does not respond. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Opens a proxy on loopback between a worker and its Postgres. */
export async function openPausableProxy(databaseUrl: string): Promise<PausableProxy> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  const sockets = new Set<Socket>();
  let paused = false;
  const server = createServer((near) => {
    const far = socketFolder
      ? connect({ path: `${socketFolder}/.s.PGSQL.${port}` })
      : connect({ host: target.hostname, port });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (paused) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    pause() {
      paused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      paused = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
