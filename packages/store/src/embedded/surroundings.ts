import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { findPackage, type PostgresPackage } from "./binaries.ts";

/** What the machine offers; tests give their own. */
export interface Surroundings {
  /** Root's folder for what cannot lie in a home that the server's uid may not enter. */
  readonly systemFolder: string;
  /** Throws `postgres_missing`. */
  readonly findPackage: () => Promise<PostgresPackage>;
}

// Not import.meta.resolve: module runners of test tools do not have it.
const require = createRequire(import.meta.url);

export function thisMachine(): Surroundings {
  const platform = `${process.platform}-${process.arch}`;
  return {
    systemFolder: "/var/lib/bron",
    findPackage: () => findPackage(platform, (name) => pathToFileURL(require.resolve(name)).href),
  };
}
