// `npm run dev`: the server restarts when a source changes, and the page is replaced while it is open.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { api } from "@bron/protocol";
import { toDevOutput } from "./dev-output.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const server = `http://127.0.0.1:${process.env["PORT"] ?? 4310}`;

const vite = await createServer({
  root: join(root, "apps", "web"),
  server: { host: "127.0.0.1", port: 5173, proxy: proxyForServer() },
});
await vite.listen();
// Another port than the configured one, if that one is taken.
const page = vite.resolvedUrls?.local[0]?.replace(/\/$/, "") ?? server;
console.log(`Page with live reload: ${page}. Press Ctrl-C to stop.`);

const bron = spawn(
  process.execPath,
  ["--watch", "--watch-preserve-output", join(root, "apps", "cli", "src", "main.ts"), "start"],
  {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    // Errors are printed with their stacks.
    env: { ...process.env, NODE_ENV: "development" },
  },
);
createInterface({ input: bron.stdout }).on("line", (line) =>
  console.log(toDevOutput(line, { server, page })),
);

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    bron.kill("SIGTERM");
  });
bron.once("exit", (code) => {
  void vite.close().then(() => process.exit(isStopping ? 0 : (code ?? 1)));
});

/**
 * Forwards every path of the API to the server, which accepts only requests from its own origin.
 */
function proxyForServer() {
  const paths = new Set(
    Object.keys(api).map((endpoint) => endpoint.replace(/^\S+ (\/[^/:]*).*/, "$1")),
  );
  return Object.fromEntries(
    [...paths].map((path) => [
      `^${path}(?:[/?]|$)`,
      { target: server, changeOrigin: true, headers: { origin: server } },
    ]),
  );
}
