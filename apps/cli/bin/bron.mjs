#!/usr/bin/env node
// Plain JavaScript that any Node from 20 on can run. Versions before 22.18 start the Node 24 that
// npm installed with Bron.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { programFile } from "./program-file.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  await import(pathToFileURL(programFile()).href);
} else {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const program = `node-${platform}-${process.arch}/bin/node${process.platform === "win32" ? ".exe" : ""}`;
  let node;
  try {
    node = createRequire(import.meta.url).resolve(program);
  } catch {
    console.error(
      `error: Node ${process.versions.node} is too old, and ${program} is not installed.\nhint: Install Node 22.18 or newer, or run npm install again with optional dependencies.\ncode: config_invalid`,
    );
    process.exit(2);
  }
  const child = spawn(node, [programFile(), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128 + 2)));
}
