import type { AccessStore } from "@bron/core";
import { randomBytes } from "node:crypto";
import { assembleRuntime } from "./assemble-runtime.ts";
import { createCleanups, type Cleanups } from "./cleanups.ts";
import { openAccess, type OpenAccess } from "./open-access.ts";
import type { PostgresRuntime, Runtime, RuntimeWithAccess } from "./runtime.ts";
import type {
  PostgresRuntimeOptions,
  RuntimeOptions,
  StoreRuntimeOptions,
} from "./runtime-options.ts";
import { systemClock } from "./system-clock.ts";

/**
 * Creates the runtime, which all apps are built on. It runs on a given store, or on Postgres, which
 * adds sign-in, rate limits, backups and work in several processes.
 */
export function createRuntime(
  options: StoreRuntimeOptions & { readonly access: AccessStore },
): Promise<RuntimeWithAccess>;
export function createRuntime(options: StoreRuntimeOptions): Promise<Runtime>;
export function createRuntime(options: PostgresRuntimeOptions): Promise<PostgresRuntime>;
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const cleanups = createCleanups();
  try {
    return await (options.store === undefined
      ? openOnPostgres(options, cleanups)
      : openOnStore(options, cleanups));
  } catch (error) {
    await cleanups.close().catch(() => undefined);
    throw error;
  }
}

async function openOnStore(
  { store, access, secretKey = newSecretKey(), ...settings }: StoreRuntimeOptions,
  cleanups: Cleanups,
): Promise<Runtime | RuntimeWithAccess> {
  const opened = access && openAccess(access, settings.clock ?? systemClock, cleanups);
  const base = { store, secretKey, accessServices: opened?.services, rates: opened?.access.rates };
  const runtime = await assembleRuntime(base, settings, cleanups);
  return opened ? withAccess(runtime, opened) : runtime;
}

async function openOnPostgres(
  options: PostgresRuntimeOptions,
  cleanups: Cleanups,
): Promise<PostgresRuntime> {
  // Loaded only here, so that a runtime on another store loads neither pg nor DBOS.
  const { openStorage } = await import("./open-storage.ts");
  const { access, backup, ...base } = await openStorage(options, cleanups);
  const opened = openAccess(access, options.clock ?? systemClock, cleanups);
  const runtime = await assembleRuntime(
    { ...base, accessServices: opened.services, rates: opened.access.rates },
    options,
    cleanups,
  );
  return { ...withAccess(runtime, opened), backup };
}

function withAccess(runtime: Runtime, { access, services }: OpenAccess): RuntimeWithAccess {
  return { ...runtime, ...access, services: { ...runtime.services, ...services } };
}

function newSecretKey(): string {
  return randomBytes(32).toString("base64url");
}
