import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime } from "@bron/runtime";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

/**
 * A proxy between Bron and Postgres. When a statement with this text passes, all connections break
 * and no new one is accepted.
 */
async function openFragileProxy(
  databaseUrl: string,
  trigger: string,
): Promise<{ readonly url: string; close(): void }> {
  const target = new URL(databaseUrl);
  const [folder, port] = [target.searchParams.get("host"), Number(target.port || 5432)];
  const sockets = new Set<Socket>();
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far =
      folder === null
        ? connect({ host: target.hostname, port })
        : connect({ path: `${folder}/.s.PGSQL.${port}` });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    near.on("data", (bytes: Buffer) => (bytes.includes(trigger) ? close() : far.write(bytes)));
    far.on("data", (bytes: Buffer) => near.write(bytes));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close };
}

describe("a database that goes away while Bron starts", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
  });
  afterAll(() => database.drop());

  it.each([
    ["before the schema is there", "create table runs"],
    ["before the queue's lock is had", "bron.dbos-launch"],
    ["while the queue makes its tables", "CREATE TABLE"],
    ["while the queue is registered", "bron-segments"],
  ])("BR18 is named as the cause, without its address: %s", async (_, trigger) => {
    const proxy = await openFragileProxy(database.url, trigger);
    const opening = createRuntime({
      databaseUrl: proxy.url,
      secretKey: "a secret key for tests that is long enough",
      model: {
        model: scriptedLanguageModel(() => ({ text: "Done." })),
        name: "scripted",
        maxOutputTokens: 100,
      },
    });
    await expect(opening).rejects.toMatchObject({
      code: "database_unreachable",
      message: "The database is not responding.",
    });
    proxy.close();
  });
});
