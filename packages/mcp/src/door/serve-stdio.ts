import type { Readable, Writable } from "node:stream";
import type { TaskServerInput } from "./task-server.ts";

/** Serves MCP over two streams until the input ends or the signal aborts. */
export async function serveMcpStdio(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  server: TaskServerInput,
): Promise<void> {
  const [{ connectTaskServer }, { StdioServerTransport }] = await Promise.all([
    import("./task-server.ts"),
    import("@modelcontextprotocol/sdk/server/stdio.js"),
  ]);
  const connected = await connectTaskServer(new StdioServerTransport(input, output), server);
  await new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    server.signal.addEventListener("abort", () => resolve(), { once: true });
    if (server.signal.aborted) resolve();
  });
  await connected.close();
}
