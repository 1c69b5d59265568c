import {
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from "jose";
import { X509Certificate } from "node:crypto";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificateOf } from "../../../../test/support/http/certificate.ts";
import { createFirebase } from "./firebase.ts";

const project = "my-project";
const day = 86_400;

/** Uses test keys that are published as Google publishes them. */
describe("Firebase session cookies", () => {
  let server: Server;
  let keysUrl: string;
  let keys: Record<string, CryptoKey>;
  let published: Record<string, string>;
  let asked = 0;
  let isAway = false;
  beforeAll(async () => {
    const pairs = await Promise.all(
      ["one", "two", "stranger"].map(
        async (id) => [id, await generateKeyPair("RS256", { extractable: true })] as const,
      ),
    );
    keys = Object.fromEntries(pairs.map(([id, { privateKey }]) => [id, privateKey]));
    const pems = await Promise.all(
      pairs.map(
        async ([id, { privateKey, publicKey }]) =>
          [id, await certificateOf(privateKey, publicKey)] as const,
      ),
    );
    published = Object.fromEntries(pems.filter(([id]) => id === "one"));
    expect(new X509Certificate(published["one"] ?? "").publicKey.asymmetricKeyType).toBe("rsa");
    all = Object.fromEntries(pems);
    server = createHttpServer((_, response) => {
      asked++;
      if (isAway) return response.writeHead(503).end();
      return response
        .writeHead(200, {
          "content-type": "application/json",
          "cache-control": "public, max-age=3600",
        })
        .end(JSON.stringify(published));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    keysUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  });
  afterAll(() => void server.close());
  let all: Record<string, string> = {};

  let clock = Date.now();
  const firebase = (settings = {}) =>
    createFirebase({ projectId: project, keysUrl, ...settings }, () => clock);
  const seconds = () => Math.floor(clock / 1_000);
  const cookie = async (
    claims: JWTPayload = {},
    { kid = "one", alg = "RS256", key = undefined as CryptoKey | undefined } = {},
  ) =>
    await new SignJWT({
      iss: `https://session.firebase.google.com/${project}`,
      aud: project,
      sub: "uid-1",
      email: "eva@example.com",
      auth_time: seconds() - 60,
      iat: seconds() - 30,
      exp: seconds() + 5 * day,
      ...claims,
    })
      .setProtectedHeader({ alg, kid })
      .sign(key ?? (keys[kid] as CryptoKey));

  it("RT2 accepts a cookie signed with the project's keys", async () => {
    expect(await firebase().verify(await cookie())).toEqual({
      uid: "uid-1",
      email: "eva@example.com",
      signedInAt: (seconds() - 60) * 1_000,
      issuedAt: (seconds() - 30) * 1_000,
      expiresAt: (seconds() + 5 * day) * 1_000,
    });
  });

  it("RT2 rejects another issuer, audience, key or algorithm, and an expired, future or incomplete cookie", async () => {
    const { verify } = firebase();
    const wrong: [string, string][] = [
      ["issuer", await cookie({ iss: `https://securetoken.google.com/${project}` })],
      [
        "other project's issuer",
        await cookie({ iss: "https://session.firebase.google.com/other" }),
      ],
      ["audience", await cookie({ aud: "other" })],
      ["key", await cookie({}, { kid: "one", key: keys["stranger"] as CryptoKey })],
      ["unknown key id", await cookie({}, { kid: "stranger" })],
      ["over", await cookie({ exp: seconds() - 61 })],
      ["issued in the future", await cookie({ iat: seconds() + 300 })],
      ["signed in in the future", await cookie({ auth_time: seconds() + 300 })],
      ["no subject", await cookie({ sub: "" })],
      ["a NUL in the subject", await cookie({ sub: "uid\0" })],
      ["a subject that is no text", await cookie({ sub: ["uid-1"] as unknown as string })],
      ["no time of sign-in", await cookie({ auth_time: undefined })],
      ["a long subject", await cookie({ sub: "x".repeat(129) })],
      ["nonsense", "a.b.c"],
      ["nothing", ""],
      ["a long cookie", `${await cookie()}${"x".repeat(5_000)}`],
    ];
    for (const [what, value] of wrong) expect(await verify(value), what).toBeUndefined();
    const [, claims = ""] = (await cookie()).split(".");
    const header = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect(await verify(`${header({ alg: "none", kid: "one" })}.${claims}.`)).toBeUndefined();
    // An algorithm confusion attack: the public key is used as a shared secret.
    const hmac = await new SignJWT({
      iss: `https://session.firebase.google.com/${project}`,
      aud: project,
      sub: "uid-1",
      auth_time: seconds(),
      iat: seconds(),
      exp: seconds() + day,
    })
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(Buffer.from(all["one"] ?? ""));
    expect(await verify(hmac)).toBeUndefined();
  });

  it("rejects a cookie whose owner signed in too long ago, whatever its expiry", async () => {
    const old = await cookie({ auth_time: seconds() - 2 * day });
    expect(await firebase().verify(old)).toBeDefined();
    expect(await firebase({ maxAgeMs: day * 1_000 }).verify(old)).toBeUndefined();
  });

  it("fetches keys periodically, at once for a new key, and not for every unknown one", async () => {
    const { verify } = firebase();
    asked = 0;
    await Promise.all(Array.from({ length: 20 }, async () => await verify(await cookie())));
    expect(asked).toBe(1);
    for (let times = 0; times < 20; times++) await verify(await cookie({}, { kid: "two" }));
    expect(asked).toBe(1);
    published = { ...published, two: all["two"] ?? "" };
    clock += 31_000;
    expect(await verify(await cookie({}, { kid: "two" }))).toBeDefined();
    expect(asked).toBe(2);
    clock += 3_600_000;
    await verify(await cookie());
    expect(asked).toBe(3);
  });

  it("keeps using its keys while new ones cannot be fetched, and fails if it has none", async () => {
    const { verify } = firebase();
    expect(await verify(await cookie())).toBeDefined();
    isAway = true;
    clock += 7_200_000;
    expect(await verify(await cookie())).toBeDefined();
    await expect(firebase().verify(await cookie())).rejects.toMatchObject({
      code: "sign_in_unavailable",
    });
    isAway = false;
  });

  it("reads every supported key format", async () => {
    const again = await importPKCS8(await exportPKCS8(keys["one"] as CryptoKey), "RS256");
    expect(await firebase().verify(await cookie({}, { kid: "one", key: again }))).toBeDefined();
  });
});
