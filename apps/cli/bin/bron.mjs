#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: an older one hands over to the Node 24 that npm installed beside Bron.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  await import("../src/main.ts");
} else {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const program = `node-${platform}-${process.arch}/bin/node${process.platform === "win32" ? ".exe" : ""}`;
  let node;
  try {
    node = createRequire(import.meta.url).resolve(program);
  } catch {
    console.error(
      `bron: Node ${process.versions.node} is too old, and there is no ${program} beside Bron.\n  Next: Install Node 22.18 or newer, or run npm install again with optional dependencies.\n  (code config_invalid)`,
    );
    process.exit(2);
  }
  const child = spawn(
    node,
    [fileURLToPath(new URL("../src/main.ts", import.meta.url)), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128 + 2)));
}
