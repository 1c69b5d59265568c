import { openEmbeddedPostgres } from "@bron/store";
import { checkSecretKey, homeSecretKey } from "./secret-key.ts";

export interface PostgresOptions {
  /** Where an embedded Postgres and the keys live. Not needed with `databaseUrl`. */
  readonly home?: string;
  /** A Postgres of your own; then `secretKey` is needed too, the same on every machine. */
  readonly databaseUrl?: string;
  readonly secretKey?: string;
  readonly onProgress?: (message: string) => void;
}

export interface OpenPostgres {
  readonly databaseUrl: string;
  /** Who sets the database up. */
  readonly adminUrl: string;
  readonly secretKey: string;
  close(): Promise<void>;
}

/** The database of a home, or the one that was named, with the key that belongs to it. */
export async function openPostgres(options: PostgresOptions): Promise<OpenPostgres> {
  const { databaseUrl, home = ".bron", onProgress } = options;
  if (databaseUrl !== undefined)
    return {
      databaseUrl,
      adminUrl: databaseUrl,
      secretKey: checkSecretKey(options.secretKey),
      close: () => Promise.resolve(),
    };
  const embedded = await openEmbeddedPostgres({ home, ...(onProgress ? { onProgress } : {}) });
  try {
    const secretKey =
      options.secretKey === undefined
        ? await homeSecretKey(home)
        : checkSecretKey(options.secretKey);
    return {
      databaseUrl: embedded.url,
      adminUrl: embedded.adminUrl,
      secretKey,
      close: embedded.close,
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}
