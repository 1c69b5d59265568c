import { omitUndefined } from "@bron/protocol";
import { openEmbeddedPostgres } from "@bron/store";
import { checkSecretKey, homeSecretKey } from "./secret-key.ts";

export interface PostgresOptions {
  /** The folder of the embedded Postgres and the keys. Not used with `databaseUrl`. */
  readonly home?: string;
  /** Your own Postgres. It requires `secretKey`, which must be the same on every machine. */
  readonly databaseUrl?: string;
  readonly secretKey?: string;
  readonly onProgress?: (message: string) => void;
}

interface OpenPostgres {
  readonly databaseUrl: string;
  /** The connection for setting up the database. */
  readonly adminUrl: string;
  readonly secretKey: string;
  close(): Promise<void>;
}

/** Opens the database of a home, or the given one, together with its secret key. */
export async function openPostgres(options: PostgresOptions): Promise<OpenPostgres> {
  const { databaseUrl, home = ".bron", onProgress } = options;
  if (databaseUrl !== undefined)
    return {
      databaseUrl,
      adminUrl: databaseUrl,
      secretKey: checkSecretKey(options.secretKey),
      close: () => Promise.resolve(),
    };
  const embedded = await openEmbeddedPostgres({ home, ...omitUndefined({ onProgress }) });
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
