import { connect } from "node:net";

/**
 * Resolves when the server at this URL is gone, or when `stop` aborts. Holds an idle connection
 * open, which closes when the server's process ends.
 */
export async function untilGone(url: string, stop: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  await new Promise<void>((resolve) => {
    if (stop.aborted) return resolve();
    const connection = connect({ host: hostname, port: Number(port) });
    const end = () => connection.destroy();
    stop.addEventListener("abort", end, { once: true });
    connection
      .unref()
      .on("error", end)
      .once("close", () => {
        stop.removeEventListener("abort", end);
        resolve();
      });
    return undefined;
  });
}
