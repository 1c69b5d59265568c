// `npm run dev`: the server restarts when a source changes, and the page is replaced while it is open.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { api } from "@bron/protocol";

const root = fileURLToPath(new URL("..", import.meta.url));
const server = `http://127.0.0.1:${process.env["PORT"] ?? 4310}`;

const bron = spawn(
  process.execPath,
  ["--watch", "--watch-preserve-output", join(root, "apps", "cli", "src", "main.ts"), "start"],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
);

const page = await createServer({
  root: join(root, "apps", "web"),
  server: { host: "127.0.0.1", port: 5173, proxy: proxyForServer() },
});
await page.listen();
console.log(
  `Page with live reload: http://127.0.0.1:${page.config.server.port}. ` +
    "Sign in with the link of the server below. Press Ctrl-C to stop.",
);

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    bron.kill("SIGTERM");
  });
bron.once("exit", (code) => {
  void page.close().then(() => process.exit(isStopping ? 0 : (code ?? 1)));
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
