import { documentFiles, documentTools } from "@bron/documents";
import { createServer, type BronServer } from "@bron/server";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { createRuntime, type PostgresRuntime, type PostgresRuntimeOptions } from "@bron/runtime";
import { request, type ClientRequest, type IncomingHttpHeaders } from "node:http";
import pg from "pg";
import { createTestDatabase } from "../support/test-database.ts";

interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface Announced {
  readonly id: string;
  readonly token: string;
  readonly url: string;
}

export interface UploadHarness {
  readonly runtime: PostgresRuntime;
  readonly server: BronServer;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Acts as eva, unless another owner is named. */
  get(path: string, ownerId?: string): Promise<TestResponse>;
  post(path: string, body: unknown, ownerId?: string): Promise<TestResponse>;
  announce(
    file: { filename?: string; contentType?: string; sizeBytes: number },
    ownerId?: string,
  ): Promise<Announced>;
  /** Sends no cookie and no personal access token. */
  put(
    upload: Announced,
    body: Uint8Array | string,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
  upload(
    file: { filename?: string; contentType?: string; bytes: Uint8Array | string },
    ownerId?: string,
  ): Promise<string>;
  /** Starts a PUT whose body the test writes. */
  startPut(
    upload: Announced,
    headers?: Record<string, string>,
  ): { readonly sent: ClientRequest; readonly responseStatus: Promise<number> };
  waitForEnd(runId: string, ownerId?: string): Promise<void>;
  close(): Promise<void>;
}

interface HarnessOptions extends Pick<PostgresRuntimeOptions, "s3" | "uploadQuota"> {
  /** How many files may be announced per minute. 0 means no limit. */
  readonly perMinute?: number;
  readonly script?: Script;
}

/** Opens a server with the document tools, and two owners who use it over HTTP. */
export async function createUploadHarness(
  postgresUrl: string,
  { script = () => ({ text: "Done." }), perMinute = 0, ...options }: HarnessOptions = {},
): Promise<UploadHarness> {
  const database = await createTestDatabase(postgresUrl);
  const runtime = await createRuntime({
    uploadQuota: { ownerBytes: 0, allBytes: 0 },
    ...options,
    databaseUrl: database.url,
    secretKey: "a secret key for tests that is long enough",
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 100 },
    tools: documentTools(),
    files: documentFiles,
  });
  const server = await createServer({
    rates: {
      createRun: { perUser: 0, perAddress: 0 },
      upload: { perUser: perMinute, perAddress: 0 },
    },
    runtime,
    ownerId: "local",
    host: "127.0.0.1",
    port: 0,
    serverId: "s",
    bodyTimeoutMs: 2_000,
    uploadTimeoutMs: 4_000,
  });
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const tokens = new Map<string, string>();
  const authorization = async (ownerId: string) => {
    const token =
      tokens.get(ownerId) ??
      (await runtime.tokens.create(ownerId, { name: "all", scopes: ["read", "run"] })).token;
    tokens.set(ownerId, token);
    return { authorization: `Bearer ${token}` };
  };
  const harness: UploadHarness = {
    runtime,
    server,
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    get: async (path, ownerId = "eva") =>
      ask(`${server.url}${path}`, { headers: await authorization(ownerId) }),
    post: async (path, body, ownerId = "eva") =>
      ask(`${server.url}${path}`, {
        method: "POST",
        headers: { ...(await authorization(ownerId)), "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async announce({ filename = "a.txt", contentType = "text/plain", sizeBytes }, ownerId) {
      const {
        status,
        json: announcement,
        text,
      } = await harness.post("/api/uploads/token", { filename, contentType, sizeBytes }, ownerId);
      if (status !== 201) throw new Error(text);
      const { upload, token, url } = announcement as unknown as {
        upload: { id: string };
        token: string;
        url: string;
      };
      return { id: upload.id, token, url };
    },
    put: ({ url }, body, headers = {}) =>
      ask(`${server.url}${url}`, { method: "PUT", headers, body: Buffer.from(body) }),
    async upload({ bytes, ...file }, ownerId) {
      const announced = await harness.announce(
        { ...file, sizeBytes: Buffer.byteLength(bytes) },
        ownerId,
      );
      const { status, text } = await harness.put(announced, bytes);
      if (status !== 200) throw new Error(text);
      return announced.id;
    },
    startPut({ url }, headers = {}) {
      const sent = request(`${server.url}${url}`, { method: "PUT", headers, agent: false });
      const responseStatus = new Promise<number>((resolve, reject) => {
        sent.on("response", (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on("error", reject);
      });
      responseStatus.catch(() => undefined);
      return { sent, responseStatus };
    },
    async waitForEnd(runId, ownerId = "eva") {
      for await (const _ of runtime.clientFor(ownerId).events(runId));
    },
    async close() {
      await pool.end();
      await server.close();
      await runtime.close();
      await database.drop();
    },
  };
  return harness;
}

/** Unlike fetch, sends any given Host and Origin headers. */
function ask(
  url: string,
  {
    method = "GET",
    headers,
    body,
  }: { method?: string; headers: Record<string, string>; body?: string | Buffer },
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = /json\b/.test(response.headers["content-type"] ?? "");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
