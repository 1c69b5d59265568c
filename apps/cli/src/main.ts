import { useCompileCache } from "./compile-cache.ts";
import { homePath } from "./home-path.ts";

const { env } = process;
// Must run before the other modules are loaded, because loading them takes much of a command's
// time.
useCompileCache(homePath(env["BRON_HOME"]?.trim() || undefined));
const { runCommandLine } = await import("./command-line.ts");
await runCommandLine(env);
