import { documentFiles, documentTools } from "@bron/documents";
import { createServer, type BronServer } from "@bron/server";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { createBron, type Bron, type BronOptions } from "bron";
import { request, type ClientRequest } from "node:http";
import pg from "pg";
import { ask, json, type Asked } from "../../apps/server/src/ask.fixture.ts";
import { noLimits } from "../../apps/server/src/no-limits.fixture.ts";
import { createTestDatabase } from "../support/test-database.ts";

export interface Announced {
  readonly id: string;
  readonly token: string;
  readonly url: string;
}

export interface UploadLab {
  readonly bron: Bron;
  readonly server: BronServer;
  readonly databaseUrl: string;
  /** What the server told whoever runs it. */
  readonly problems: string[];
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** As eva, unless another owner is named. */
  get(path: string, ownerId?: string): Promise<Asked>;
  post(path: string, body: unknown, ownerId?: string): Promise<Asked>;
  announce(file: { filename?: string; contentType?: string; sizeBytes: number }, ownerId?: string): Promise<Announced>;
  /** Without a cookie and without a token of a person. */
  put(upload: Announced, body: Uint8Array | string, headers?: Record<string, string>): Promise<Asked>;
  upload(file: { filename?: string; contentType?: string; bytes: Uint8Array | string }, ownerId?: string): Promise<string>;
  /** A PUT whose body the test writes. */
  begin(upload: Announced, headers?: Record<string, string>): { readonly sent: ClientRequest; readonly answered: Promise<number> };
  finish(runId: string, ownerId?: string): Promise<void>;
  close(): Promise<void>;
}

export interface LabOptions extends Pick<BronOptions, "s3" | "tools"> {
  readonly databaseUrl: string;
  readonly script?: Script;
}

/** A server with the tools for documents, and two owners who reach it over HTTP. */
export async function createUploadLab(postgresUrl: string, { script = () => ({ text: "Done." }), tools = [], ...options }: Partial<LabOptions> = {}): Promise<UploadLab> {
  const database = options.databaseUrl === undefined ? await createTestDatabase(postgresUrl) : { url: options.databaseUrl, drop: () => Promise.resolve() };
  const bron = await createBron({
    ...options,
    databaseUrl: database.url,
    secretKey: "a secret key for tests that is long enough",
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 100 },
    tools: [...documentTools(), ...tools],
    files: documentFiles,
  });
  const problems: string[] = [];
  const server = await createServer({ ...noLimits, bron, ownerId: "local", host: "127.0.0.1", port: 0, serverId: "s", bodyTimeoutMs: 400, uploadTimeoutMs: 3_000, onProblem: (message) => problems.push(message) });
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const tokens = new Map<string, string>();
  const authorization = async (ownerId: string) => {
    const token = tokens.get(ownerId) ?? (await bron.tokens.create(ownerId, { name: "all", scopes: ["read", "run"] })).token;
    tokens.set(ownerId, token);
    return { authorization: `Bearer ${token}` };
  };
  const lab: UploadLab = {
    bron,
    server,
    databaseUrl: database.url,
    problems,
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    get: async (path, ownerId = "eva") => ask(`${server.url}${path}`, { headers: await authorization(ownerId) }),
    post: async (path, body, ownerId = "eva") => ask(`${server.url}${path}`, { method: "POST", headers: { ...(await authorization(ownerId)), ...json }, body }),
    async announce({ filename = "a.txt", contentType = "text/plain", sizeBytes }, ownerId) {
      const { status, json: answer, text } = await lab.post("/api/uploads/token", { filename, contentType, sizeBytes }, ownerId);
      if (status !== 201) throw new Error(text);
      const { upload, token, url } = answer as unknown as { upload: { id: string }; token: string; url: string };
      return { id: upload.id, token, url };
    },
    put: ({ url }, body, headers = {}) => ask(`${server.url}${url}`, { method: "PUT", headers, body: Buffer.from(body) }),
    async upload({ bytes, ...file }, ownerId) {
      const announced = await lab.announce({ ...file, sizeBytes: Buffer.byteLength(bytes) }, ownerId);
      const { status, text } = await lab.put(announced, bytes);
      if (status !== 200) throw new Error(text);
      return announced.id;
    },
    begin({ url }, headers = {}) {
      const sent = request(`${server.url}${url}`, { method: "PUT", headers, agent: false });
      const answered = new Promise<number>((resolve, reject) => {
        sent.on("response", (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on("error", reject);
      });
      answered.catch(() => undefined);
      return { sent, answered };
    },
    async finish(runId, ownerId = "eva") {
      for await (const _ of bron.runs.events(ownerId, runId));
    },
    async close() {
      await pool.end();
      await server.close();
      await bron.close();
      await database.drop();
    },
  };
  return lab;
}
