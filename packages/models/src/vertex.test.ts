import { tempFolder } from "@bron/testing";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  assistantMessage,
  only,
  streamParts,
  withToolResults,
} from "./assistant-message.fixture.ts";
import { createVertexModel, vertexAccess } from "./vertex.ts";
import { dataEvents } from "./wire-server.fixture.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const account = {
  type: "service_account",
  project_id: "my-project",
  private_key_id: "key-1",
  private_key: privateKey,
  client_email: "bron@my-project.iam.gserviceaccount.com",
  client_id: "1",
  token_uri: "https://oauth2.googleapis.com/token",
};
const user = {
  type: "authorized_user",
  client_id: "client",
  client_secret: "client secret",
  refresh_token: "refresh",
};
const modelPath =
  "/v1beta1/projects/my-project/locations/global/publishers/google/models/gemini-3.8-flash:streamGenerateContent?alt=sse";

/** Google's token endpoint and Vertex AI. It refuses what they refuse. */
async function startGoogle(options: { readonly refusesTokens?: number } = {}) {
  const seen = { tokens: 0, calls: 0, problems: [] as string[] };
  const server = createServer((request, response) => void handle(request, response));
  const fail = (response: ServerResponse, status: number, message: string) => {
    seen.problems.push(message);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "invalid", error_description: message }));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (request.url === "/token") {
      seen.tokens++;
      if (options.refusesTokens !== undefined)
        return fail(response, options.refusesTokens, "invalid_grant");
      const problem = tokenProblem(body);
      if (problem !== undefined) return fail(response, 400, problem);
      response.writeHead(200, { "content-type": "application/json" });
      const token = { access_token: "token-1", expires_in: 3_600, token_type: "Bearer" };
      return response.end(JSON.stringify(token));
    }
    const problem = callProblem(request, body);
    if (problem !== undefined) return fail(response, 400, problem);
    seen.calls++;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(seen.calls === 1 ? callsMessage : textMessage);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    /** Sends what is meant for Google's token endpoint to this server. */
    fetch: (async (input, init) =>
      await fetch(
        new Request(input).url.replace("https://oauth2.googleapis.com", url),
        init,
      )) as typeof fetch,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function tokenProblem(body: string): string | undefined {
  const form = new URLSearchParams(body);
  if (form.get("grant_type") === "refresh_token")
    return form.get("refresh_token") === user.refresh_token &&
      form.get("client_id") === user.client_id
      ? undefined
      : "refresh_token";
  const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return "grant_type";
  const key = createPublicKey(publicKey);
  if (
    !verify("sha256", Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url"))
  )
    return "signature";
  const { iss, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
  if (iss !== account.client_email) return "iss";
  if (scope !== "https://www.googleapis.com/auth/cloud-platform") return "scope";
  if (aud !== account.token_uri) return "aud";
  return exp - iat <= 3_600 && exp * 1_000 > Date.now() ? undefined : "exp";
}

function callProblem({ url, headers }: IncomingMessage, body: string): string | undefined {
  if (url !== modelPath) return `path ${url}`;
  if (headers.authorization !== "Bearer token-1") return "authorization";
  if (headers["x-goog-api-key"] !== undefined) return "x-goog-api-key";
  const parts = JSON.parse(body).contents.flatMap(
    ({ parts: own }: { parts: { functionCall?: object; functionResponse?: object }[] }) => own,
  );
  const hasId = parts.some(
    ({ functionCall, functionResponse }: { functionCall?: object; functionResponse?: object }) =>
      "id" in (functionCall ?? {}) || "id" in (functionResponse ?? {}),
  );
  return hasId ? 'Unknown name "id"' : undefined;
}

const chunk = (parts: unknown[]) => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
});
const callsMessage = dataEvents(
  chunk([
    {
      functionCall: { name: "calculator", args: { expression: "6*7" } },
      thoughtSignature: "c2lnbmF0dXJl",
    },
  ]),
);
const textMessage = dataEvents(chunk([{ text: "It is 42." }]));

async function keyFile(content: unknown = account): Promise<string> {
  const path = join(await tempFolder(), "key.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("Gemini on Vertex AI", () => {
  test("signs in with the service account once, and calls a tool", async () => {
    await using google = await startGoogle();
    const access = vertexAccess({
      googleCredentialsFile: await keyFile(),
      vertexBaseUrl: google.url,
    });
    const model = createVertexModel("gemini-3.8-flash", { ...access, fetch: google.fetch });
    const first = await streamParts(model);
    expect(google.seen.problems).toEqual([]);
    expect(only(first, "tool-call")).toMatchObject([{ toolName: "calculator" }]);
    const second = await streamParts(model, withToolResults(assistantMessage(first)));
    expect(only(second, "text-delta").map(({ delta }) => delta)).toEqual(["It is 42."]);
    expect(google.seen).toEqual({ tokens: 1, calls: 2, problems: [] });
  });

  test("signs in as the user of gcloud", async () => {
    await using google = await startGoogle();
    const access = vertexAccess({
      googleCredentialsFile: await keyFile(user),
      vertexProject: "my-project",
      vertexBaseUrl: google.url,
    });
    const model = createVertexModel("gemini-3.8-flash", { ...access, fetch: google.fetch });
    expect(only(await streamParts(model), "tool-call")).toHaveLength(1);
    expect(google.seen).toEqual({ tokens: 1, calls: 1, problems: [] });
  });

  test("explains that Google rejected the credentials", async () => {
    for (const [status, code] of [
      [400, "model_refused"],
      [401, "model_refused"],
    ] as const) {
      await using google = await startGoogle({ refusesTokens: status });
      const access = vertexAccess({
        googleCredentialsFile: await keyFile(),
        vertexBaseUrl: google.url,
      });
      const model = createVertexModel("gemini-3.8-flash", { ...access, fetch: google.fetch });
      const error: unknown = await streamParts(model).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code,
        message: expect.stringContaining("GOOGLE_APPLICATION_CREDENTIALS"),
      });
      expect(String(error)).not.toContain("PRIVATE KEY");
      expect(google.seen.calls).toBe(0);
    }
  });

  test("uses the region and the project of the settings", async () => {
    const googleCredentialsFile = await keyFile();
    expect(vertexAccess({ googleCredentialsFile }).baseUrl).toBe(
      "https://aiplatform.googleapis.com/v1beta1/projects/my-project/locations/global/publishers/google",
    );
    expect(
      vertexAccess({ googleCredentialsFile, vertexProject: "p", vertexLocation: "europe-west4" })
        .baseUrl,
    ).toBe(
      "https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/p/locations/europe-west4/publishers/google",
    );
  });

  test("names the variable that is missing or wrong, without the content of the file", async () => {
    const broken = await keyFile("{ secret");
    expect(() => vertexAccess({})).toThrow(/needs GOOGLE_APPLICATION_CREDENTIALS/);
    expect(() => vertexAccess({ googleCredentialsFile: `${broken}.missing` })).toThrow(/ENOENT/);
    expect(() => vertexAccess({ googleCredentialsFile: broken })).toThrow(
      /^(?!.*secret).*it is not JSON/,
    );
    const other = await keyFile({ type: "external_account", private_key: "secret" });
    expect(() => vertexAccess({ googleCredentialsFile: other })).toThrow(
      /^(?!.*secret).*is not the key file/,
    );
    const withoutProject = await keyFile({ ...account, project_id: undefined });
    expect(() => vertexAccess({ googleCredentialsFile: withoutProject })).toThrow(
      /GOOGLE_CLOUD_PROJECT/,
    );
    expect(() =>
      vertexAccess({
        googleCredentialsFile: withoutProject,
        vertexProject: "p",
        vertexLocation: "a/b",
      }),
    ).toThrow(/GOOGLE_CLOUD_LOCATION/);
  });
});
