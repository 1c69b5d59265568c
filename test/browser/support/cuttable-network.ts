import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/**
 * "before-response": the server has responded, and none of it has arrived. "after-chunk": the
 * matching chunk of a response has arrived.
 */
type Moment = "before-response" | "after-chunk";

export interface CuttableNetwork {
  /** For `browser.newContext({ proxy })`. */
  readonly proxy: { readonly server: string };
  /** Breaks every connection, and refuses new ones until `restore` is called. */
  cut(): void;
  restore(): void;
  /**
   * Cuts at the first matching request line ("before-response") or response chunk ("after-chunk"),
   * and resolves then.
   */
  cutAt(moment: Moment, pattern: RegExp): Promise<void>;
  /** From now on, the response of this path ends with `text`, as if the server had a newer file. */
  extend(path: string, text: string): void;
  close(): Promise<void>;
}

/**
 * A proxy between a browser and a server. The browser does not learn that its network is gone. It
 * only sees connections break.
 */
export async function openCuttableNetwork(): Promise<CuttableNetwork> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let trap:
    | { readonly moment: Moment; readonly pattern: RegExp; readonly spring: () => void }
    | undefined;
  const extensions = new Map<string, string>();
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const springs = (moment: Moment, text: string) =>
    trap?.moment === moment && trap.pattern.test(text);
  const spring = () => {
    cut();
    trap?.spring();
    trap = undefined;
  };
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "" } = incoming;
    const pass = (response: IncomingMessage) => {
      if (springs("before-response", `${method} ${new URL(url).pathname}`)) return spring();
      const extension = extensions.get(new URL(url).pathname);
      const { "content-length": _length, ...headers } = response.headers;
      if (extension === undefined)
        outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      else outgoing.writeHead(response.statusCode ?? 502, headers);
      response.on("data", (chunk: Buffer) => {
        const isLast = springs("after-chunk", chunk.toString());
        outgoing.write(chunk, () => isLast && spring());
      });
      response.on("end", () => outgoing.end(extension));
      response.on("error", () => outgoing.destroy());
    };
    // A compressed response could not be matched with a pattern.
    const { "accept-encoding": _, ...headers } = incoming.headers;
    const onward = request(url, { method, headers }, pass);
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket: Socket) => {
    if (isCut) return void socket.destroy();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    proxy: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    cut,
    restore: () => void (isCut = false),
    cutAt: (moment, pattern) =>
      new Promise((resolve) => (trap = { moment, pattern, spring: resolve })),
    extend: (path, text) => void extensions.set(path, text),
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
