import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const script = fileURLToPath(new URL("../../../../scripts/build-shop.mjs", import.meta.url));

/** In a process of its own: in that of a test, Vite would build React for development. */
export async function buildShop(): Promise<void> {
  await promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, NODE_ENV: "production" },
  });
}
