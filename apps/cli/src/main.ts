import { useCompileCache } from "./compile-cache.ts";
import { homePath } from "./home-path.ts";

const { env } = process;
// Before the other sources are loaded, which takes a good part of every command.
useCompileCache(homePath(env["BRON_HOME"]?.trim() || undefined));
const { runCommandLine } = await import("./command-line.ts");
await runCommandLine(env);
