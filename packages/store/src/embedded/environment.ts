import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { findPackage, type PostgresPackage } from "./binaries.ts";

/** What the machine provides. Tests pass their own. */
export interface Environment {
  /** Root's folder for data that cannot be in a home that the server's uid cannot enter. */
  readonly systemFolder: string;
  /** Throws `postgres_missing`. */
  readonly findPackage: () => Promise<PostgresPackage>;
}

// Not import.meta.resolve, because the module runners of test tools do not support it.
const require = createRequire(import.meta.url);

export function thisEnvironment(): Environment {
  const platform = `${process.platform}-${process.arch}`;
  return {
    systemFolder: "/var/lib/bron",
    findPackage: () => findPackage(platform, (name) => pathToFileURL(require.resolve(name)).href),
  };
}
