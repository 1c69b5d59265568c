// The rules of ARCHITECTURE.md that can be checked automatically. Each failure reads "file:line
// what".
import { globSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join } from "node:path";
import { build, type ESTree } from "vite";
import { afterAll, describe, expect, it } from "vitest";
import { isConditionalSpread } from "./architecture/conditional-spread.ts";
import { findCycles, type Graph } from "./architecture/cycles.ts";
import {
  pinnedExportsPath,
  readExports,
  readPinnedExports,
} from "./architecture/package-exports.ts";
import {
  listFiles,
  readSources,
  readText,
  root,
  type ImportReference,
  type SourceFile,
} from "./architecture/source-tree.ts";
import { readManifest, readWorkspaces, type Workspace } from "./architecture/workspaces.ts";
import mainConfig from "../vitest.config.ts";
import crashConfig from "./crash/vitest.config.ts";

/**
 * The packages that each package may import. A package that is missing here fails the first rule.
 */
const directions: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  core: ["protocol"],
  models: ["protocol", "core"],
  connectors: ["protocol", "core"],
  documents: ["protocol", "core"],
  store: ["protocol", "core"],
  engine: ["protocol", "core", "store"],
  runtime: ["protocol", "core", "client", "models", "connectors", "store", "engine"],
  bron: ["core", "memory-store", "runtime"],
  files: ["core"],
  tools: ["protocol", "core", "files"],
  settings: ["protocol", "core", "files"],
  skills: ["protocol", "core", "settings"],
  "memory-store": ["protocol", "core"],
  page: ["protocol", "core", "memory-store", "runtime"],
  mcp: ["protocol", "core", "client", "files", "settings"],
  client: ["protocol"],
  simulator: ["protocol"],
  "demo-model": ["protocol"],
  // Only the types of the wire, and nothing that runs.
  "page-widget": ["page"],
  testing: ["protocol", "core", "memory-store"],
};
/** Packages of demo mode. Among the apps, only the terminal imports them. */
const demoPackages = ["simulator", "demo-model"];
/** Packages that also run in a browser. */
const browserPackages = ["protocol", "core", "client", "page-widget"];
const maxCodeLines = { source: 400, test: 800 };

const files = listFiles();
const sources = readSources(files);
const sourceByPath = new Map(sources.map((source) => [source.path, source]));
const workspaces = readWorkspaces();
const workspaceByName = new Map(
  workspaces.map((workspace) => [workspace.manifest.name, workspace]),
);
const rootManifest = readManifest(".");
const locked = (
  JSON.parse(readText("package-lock.json")) as { packages: Record<string, LockedPackage> }
).packages;
const builtins = new Set(builtinModules);

// All syntax trees together fill 250 MB, and other test files follow in this process.
afterAll(() => {
  for (const { nodes } of sources) nodes.length = 0;
});

const folderOf = (path: string) => /^(?:packages|apps)\/[^/]+/.exec(path)?.[0];
const workspaceOf = (path: string) => workspaces.find(({ folder }) => folder === folderOf(path));
const isTestCode = (path: string) =>
  /^(?:test|bench|packages\/testing)\/|\.(?:test|fixture)\.tsx?$|\.config\.ts$/.test(path);
/** The product without tests, tools and configuration. */
const product = sources.filter(
  ({ path }) => folderOf(path) !== undefined && !isTestCode(path) && !path.endsWith(".config.ts"),
);

describe("directions between packages", () => {
  it("lets a package import only packages below it", () => {
    const violations = eachImport(({ path }, { specifier, line }) => {
      const [from, to] = [workspaceOf(path), workspaceByName.get(packageName(specifier))];
      if (!from || !to || from === to) return [];
      return mayImport(from, to, path) ? [] : [`${path}:${line} imports ${specifier}`];
    });
    expect([
      ...violations,
      ...workspaces
        .filter(isUnknownPackage)
        .map(({ folder }) => `${folder} has no place in the table`),
    ]).toEqual([]);
  });

  it("has no package in the table that does not exist", () => {
    const names = new Set(workspaces.map(({ folder }) => basename(folder)));
    expect(
      [...Object.keys(directions), ...demoPackages].filter((name) => !names.has(name)),
    ).toEqual([]);
  });

  it("has no cycle between packages", () => {
    const graph = new Map(workspaces.map(({ folder }) => [folder, packagesImportedBy(folder)]));
    expect(findCycles(graph)).toEqual([]);
  });

  it("lets protocol depend only on zod, and core also on data, on pure functions and on types of @ai-sdk/provider", () => {
    const data = new Set(["tlds", "tldts", "croner"]);
    const violations = eachImport(({ path }, { specifier, line, isTypeOnly }) => {
      const folder = folderOf(path);
      if ((folder !== "packages/protocol" && folder !== "packages/core") || isTestCode(path))
        return [];
      const name = packageName(specifier);
      const isAllowed = name.startsWith(".") || name === "zod" || workspaceByName.has(name);
      const isAllowedInCore = data.has(name) || (name === "@ai-sdk/provider" && isTypeOnly);
      if (isAllowed || (folder === "packages/core" && isAllowedInCore)) return [];
      return [`${path}:${line} imports ${specifier}`];
    });
    expect(violations).toEqual([]);
  });

  it("imports a package only through its index", () => {
    const violations = eachImport(({ path }, { specifier, line, target, isTypeOnly }) => {
      // The wire of the page agent has an entry of its own, which is types only.
      if (specifier === "@bron/page/wire" && isTypeOnly) return [];
      // The tables name single functions inside of all packages, and the attacks on the policy use
      // single tools with fake services.
      if (/^test\/(?:support\/text-functions|attacks\/support)\//.test(path)) return [];
      const isDeep =
        workspaceByName.has(packageName(specifier)) && packageName(specifier) !== specifier;
      const leaves =
        target !== undefined &&
        folderOf(target) !== undefined &&
        folderOf(target) !== folderOf(path);
      return isDeep || leaves ? [`${path}:${line} imports ${specifier}`] : [];
    });
    expect(violations).toEqual([]);
  });

  it("lets the chat for web pages import types only, so that a page loads nothing else", () => {
    const violations = eachImport(({ path }, { specifier, line, isTypeOnly, target }) => {
      if (!path.startsWith("packages/page-widget/") || isTestCode(path)) return [];
      const isOwn = target?.startsWith("packages/page-widget/") === true;
      return isOwn || isTypeOnly ? [] : [`${path}:${line} imports ${specifier}`];
    });
    expect(violations).toEqual([]);
  });

  it("declares every import in the importer's own package.json", () => {
    const violations = eachImport(({ path }, { specifier, line, target, isTypeOnly }) => {
      const manifest = workspaceOf(path)?.manifest;
      const name = packageName(specifier);
      if (!manifest || target !== undefined || isBuiltin(specifier) || name === manifest.name)
        return [];
      const declared = {
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
      };
      // Tools that every test uses are declared once, in the root.
      const forDevelopment = { ...manifest.devDependencies, ...rootManifest.devDependencies };
      return name in declared || ((isTestCode(path) || isTypeOnly) && name in forDevelopment)
        ? []
        : [`${path}:${line} imports ${specifier}`];
    });
    expect(violations).toEqual([]);
  });
});

describe("the database", () => {
  /**
   * DBOS, which the engine drives, has its own statements for its own tables, and uses the store's
   * connections.
   */
  it("BR8 is reached only by the store: no other package imports pg or Kysely, or writes SQL", () => {
    const outside = product.filter(({ path }) => !path.startsWith("packages/store/"));
    expect(outside.length).toBeGreaterThan(100);
    expect(
      eachImport(
        ({ path }, { specifier, line }) =>
          ["pg", "kysely"].includes(packageName(specifier) ?? "") || specifier.startsWith("pg-")
            ? [`${path}:${line} imports ${specifier}`]
            : [],
        outside,
      ),
    ).toEqual([]);
    const sql =
      /\b(?:select\s[\s\S]{1,500}\sfrom\s+\w|insert\s+into\s+\w+\s*\(|update\s+\w+\s+set\s+\w+\s*=|delete\s+from\s+\w+\s+where)/;
    const writesSql = (node: ESTree.Node) =>
      (node.type === "TemplateElement" && sql.test(node.value.raw)) ||
      (node.type === "Literal" && typeof node.value === "string" && sql.test(node.value));
    expect(eachNode(outside, (node) => writesSql(node) && "writes SQL")).toEqual([]);
  });
});

describe("modules inside a package", () => {
  it("never import the index of their own package, except in tests", () => {
    const violations = eachImport(({ path }, { specifier, line, target }) => {
      const own = workspaceOf(path);
      if (!own || /\.test\.tsx?$/.test(path)) return [];
      return target === `${own.folder}/src/index.ts` || packageName(specifier) === own.manifest.name
        ? [`${path}:${line} imports ${specifier}`]
        : [];
    });
    expect(violations).toEqual([]);
  });

  it("form no cycle, type imports included", () => {
    const targets = ({ imports }: SourceFile) =>
      imports.flatMap(({ target }) =>
        target !== undefined && sourceByPath.has(target) ? [target] : [],
      );
    const graph: Graph = new Map(sources.map((source) => [source.path, targets(source)]));
    expect(findCycles(graph)).toEqual([]);
  });

  it("export by name: no `export *`", () => {
    expect(eachNode(sources, (node) => node.type === "ExportAllDeclaration" && "export *")).toEqual(
      [],
    );
  });

  it("export by name: no default export, except where a tool requires one", () => {
    const others = sources.filter(
      ({ path }) => !/\.config\.ts$|^test\/(?:browser\/)?support\/global-[a-z-]+\.ts$/.test(path),
    );
    expect(eachNode(others, (node) => isDefaultExport(node) && "default export")).toEqual([]);
  });

  it("use erasable syntax: no enum, namespace, parameter property or import assignment", () => {
    expect(eachNode(sources, notErasable)).toEqual([]);
  });

  // The parser's child process loads nothing of protocol.
  it("leave out undefined members with omitUndefined, not with a conditional spread", () => {
    const others = product.filter(({ path }) => !path.startsWith("packages/documents/src/parser/"));
    expect(eachNode(others, (node) => isConditionalSpread(node) && "spreads by hand")).toEqual([]);
  });

  it("throw coded errors: no `throw new Error` outside tests and scripts", () => {
    expect(eachNode(product, (node) => throwsPlainError(node) && "throw new Error")).toEqual([]);
  });
});

describe("the edges of the process", () => {
  it("are read only by an app's main and config: no process.env elsewhere", () => {
    const others = product.filter(
      ({ path }) => !/^apps\/[^/]+\/src\/(?:main|config)\.ts$/.test(path),
    );
    expect(eachNode(others, (node) => readsEnvironment(node) && "reads the environment")).toEqual(
      [],
    );
  });

  it("stay out of browser packages: no node module and no global of Node", () => {
    const inBrowser = product.filter(({ path }) =>
      browserPackages.some((name) => path.startsWith(`packages/${name}/`)),
    );
    const imported = eachImport(
      ({ path }, { specifier, line }) =>
        isBuiltin(specifier) ? [`${path}:${line} imports ${specifier}`] : [],
      inBrowser,
    );
    const globals = new Set([
      "process",
      "Buffer",
      "__dirname",
      "__filename",
      "require",
      "setImmediate",
      "clearImmediate",
      "NodeJS",
    ]);
    const named = eachNode(
      inBrowser,
      (node, parent, key) => isReference(node, parent, key) && globals.has(node.name) && node.name,
    );
    expect([...imported, ...named]).toEqual([]);
  });

  it("stay out of core: no clock, randomness, timer, network or DOM", () => {
    const core = product.filter(({ path }) => path.startsWith("packages/core/"));
    const globals = new Set(
      "setTimeout setInterval queueMicrotask performance fetch WebSocket window document navigator localStorage console".split(
        " ",
      ),
    );
    const violations = eachNode(core, (node, parent, key) => {
      if (isReference(node, parent, key) && globals.has(node.name)) return node.name;
      if (isMember(node, "Date", "now")) return "Date.now";
      if (isMember(node, "Math", "random")) return "Math.random";
      if (isMember(node, "crypto", "randomUUID") || isMember(node, "crypto", "getRandomValues"))
        return "crypto's random";
      return (
        node.type === "NewExpression" &&
        isNamed(node.callee, ["Date"]) &&
        node.arguments.length === 0 &&
        "new Date()"
      );
    });
    expect(violations).toEqual([]);
  });

  for (const name of browserPackages.filter((one) =>
    workspaces.some(({ folder }) => folder === `packages/${one}`),
  )) {
    it(`do not leak into ${name}, which bundles for a browser without modules of Node`, async () => {
      expect(await nodeModulesInBundle(join(root, "packages", name, "src/index.ts"))).toEqual([]);
    });
  }
});

describe("package indexes", () => {
  it(`export the names that ${pinnedExportsPath} lists`, () => {
    const pinned = readPinnedExports();
    const actual = readExports(workspaces, files);
    expect({
      added: [...actual].filter((name) => !pinned.has(name)),
      lost: [...pinned].filter((name) => !actual.has(name)),
    }).toEqual({ added: [], lost: [] });
  });
});

describe("tests", () => {
  it("inject instead of mocking modules: no vi.mock", () => {
    const names = ["mock", "doMock", "unmock", "doUnmock", "hoisted"];
    expect(
      eachNode(sources, (node) => names.some((name) => isMember(node, "vi", name)) && "vi.mock"),
    ).toEqual([]);
  });

  // The timeout of vi.waitFor is one second and cannot be configured for the project. That of
  // expect.poll can.
  it("wait with expect.poll: no vi.waitFor", () => {
    expect(eachNode(sources, (node) => isMember(node, "vi", "waitFor") && "vi.waitFor")).toEqual(
      [],
    );
  });
});

describe("test configurations", () => {
  it("name existing files with every alternative of every pattern", () => {
    expect(
      testPatterns()
        .flatMap(alternativesOf)
        .filter((pattern) => globSync(pattern, { cwd: root }).length === 0),
    ).toEqual([]);
  });

  it("run every test that takes samples in the long suite, with all of them", () => {
    const inLongSuite = new Set(globSync(crashConfig.test?.include ?? [], { cwd: root }));
    const sampling = sources.filter(
      ({ path, nodes }) =>
        /\.test\.tsx?$/.test(path) &&
        nodes.some(
          ({ node }) =>
            node.type === "ImportSpecifier" &&
            /^(?:isFullSuite|sampleCount)$/.test(node.local.name),
        ),
    );
    expect(sampling.length).toBeGreaterThan(30);
    expect(sampling.map(({ path }) => path).filter((path) => !inLongSuite.has(path))).toEqual([]);
  });
});

describe("files", () => {
  it("have kebab-case names, folders too", () => {
    const kebab = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
    expect(
      sources
        .filter(({ path }) => path.split("/").some((part) => !kebab.test(part)))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it("stay within the size limit", () => {
    // An index only lists names.
    const limitOf = (path: string) =>
      isTestCode(path) || path.endsWith("/index.ts") ? maxCodeLines.test : maxCodeLines.source;
    const tooLong = sources.filter(({ path, codeLines }) => codeLines > limitOf(path));
    expect(tooLong.map(({ path, codeLines }) => `${path} has ${codeLines} code lines`)).toEqual([]);
  });

  it("contain no path of the machine on which they were written", () => {
    const machinePath = new RegExp(`(?<![\\w.])/(?:${["work", "root"].join("|")})/`);
    const found = files.flatMap((path) => {
      const text = readText(path);
      if (text.includes("\0")) return [];
      return text
        .split("\n")
        .flatMap((line, index) => (machinePath.test(line) ? [`${path}:${index + 1}`] : []));
    });
    expect(found).toEqual([]);
  });

  it("describe the architecture on two screens", () => {
    expect(readText("ARCHITECTURE.md").trimEnd().split("\n").length).toBeLessThanOrEqual(110);
  });

  it("instruct agents in at most 120 lines", () => {
    const guides = files.filter((path) => basename(path) === "AGENTS.md");
    expect(guides.filter((path) => readText(path).trimEnd().split("\n").length > 120)).toEqual([]);
  });
});

describe("manifests", () => {
  const manifests = [{ folder: ".", manifest: rootManifest }, ...workspaces];

  it("pin exact versions", () => {
    const loose = manifests.flatMap(({ folder, manifest }) =>
      [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
        .flatMap((versions) => Object.entries(versions ?? {}))
        .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))
        .map(([name, version]) => `${folder} wants ${name} ${version}`),
    );
    expect(loose).toEqual([]);
  });

  it("carry the licence", () => {
    expect(
      manifests
        .filter(({ manifest }) => manifest.license !== "MIT OR Apache-2.0")
        .map(({ folder }) => folder),
    ).toEqual([]);
  });

  it("lock packages by integrity, and name no registry", () => {
    const violations = Object.entries(locked).flatMap(
      ([path, { link, inBundle, resolved, integrity }]) => {
        // A bundled dependency is part of another package and covered by that package's integrity.
        if (!path.includes("node_modules/") || link || inBundle) return [];
        return [
          ...(resolved === undefined ? [] : [`${path} names ${resolved}`]),
          ...(integrity ? [] : [`${path} has no integrity`]),
        ];
      },
    );
    expect(violations).toEqual([]);
  });

  // npm omits an optional package that its registry lacks, and then `npm ci` refuses the lockfile
  // on every platform.
  it("lock the packages of every platform", () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(path, name))
        .map((name) => `${name}, which ${path || "the root"} wants`),
    );
    expect(missing).toEqual([]);
  });
});

function testPatterns(): string[] {
  const projects = (mainConfig.test?.projects ?? []).flatMap((project) =>
    typeof project === "object" && "test" in project ? [project.test] : [],
  );
  const patterns = [...projects, crashConfig.test].flatMap((test) => [
    ...(test?.include ?? []),
    ...(test?.exclude ?? []),
  ]);
  return [...new Set(patterns)].filter((pattern) => pattern !== "**/node_modules/**");
}

/** `{a,b}/{c,d}` becomes `a/{c,d}`, `b/{c,d}`, `{a,b}/c` and `{a,b}/d`. */
function alternativesOf(pattern: string): string[] {
  const groups = [...pattern.matchAll(/\{([^{}]*)\}/g)];
  if (groups.length === 0) return [pattern];
  return groups.flatMap(({ 0: group, 1: words = "", index }) =>
    words
      .split(",")
      .map((word) => pattern.slice(0, index) + word + pattern.slice(index + group.length)),
  );
}

interface LockedPackage {
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Whether Node, starting at one package, finds another one in the folders of the lockfile. */
function isLocked(from: string, name: string): boolean {
  if (`${from}/node_modules/${name}`.replace(/^\//, "") in locked) return true;
  const above = from.lastIndexOf("/node_modules/");
  return from !== "" && isLocked(above === -1 ? "" : from.slice(0, above), name);
}

function mayImport(from: Workspace, to: Workspace, path: string): boolean {
  const name = basename(to.folder);
  if (isTestCode(path) && ["testing", "memory-store", ...demoPackages].includes(name)) return true;
  if (name === "testing") return false;
  if (demoPackages.includes(name)) return from.folder === "apps/cli";
  if (from.folder === "apps/server" && name === "client") return isTestCode(path);
  if (from.folder.startsWith("apps/")) return true;
  return (
    to.folder.startsWith("packages/") &&
    (directions[basename(from.folder)]?.includes(name) ?? false)
  );
}

function isUnknownPackage({ folder }: Workspace): boolean {
  return folder.startsWith("packages/") && !(basename(folder) in directions);
}

/**
 * The imports of a package without its tests, because packages used by tests are not dependencies
 * of the product.
 */
function packagesImportedBy(folder: string): string[] {
  const imported = product
    .filter(({ path }) => folderOf(path) === folder)
    .flatMap(({ imports }) =>
      imports.map(({ specifier }) => workspaceByName.get(packageName(specifier))?.folder),
    );
  return [...new Set(imported)].filter((one) => one !== undefined && one !== folder) as string[];
}

function eachImport(
  judge: (source: SourceFile, reference: ImportReference) => readonly string[],
  within: readonly SourceFile[] = sources,
): string[] {
  return within.flatMap((source) =>
    source.imports.flatMap((reference) => judge(source, reference)),
  );
}

type Judge = (
  node: ESTree.Node,
  parent: ESTree.Node | undefined,
  key: string,
) => string | false | undefined;

function eachNode(within: readonly SourceFile[], judge: Judge): string[] {
  return within.flatMap(({ path, nodes, lineOf }) =>
    nodes.flatMap(({ node, parent, key }) => {
      const problem = judge(node, parent, key);
      return problem ? [`${path}:${lineOf(node)} ${problem}`] : [];
    }),
  );
}

/** The package of a specifier: "@bron/core" for "@bron/core/src/x". */
function packageName(specifier: string): string {
  return specifier.startsWith(".")
    ? specifier
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtins.has(specifier);
}

function isNamed(node: ESTree.Node, names: readonly string[]): boolean {
  return node.type === "Identifier" && names.includes(node.name);
}

function isMember(node: ESTree.Node, object: string, property: string): boolean {
  if (node.type !== "MemberExpression" || !isNamed(node.object, [object])) return false;
  const key: ESTree.Node = node.property;
  return node.computed
    ? key.type === "Literal" && key.value === property
    : isNamed(key, [property]);
}

/** An identifier that refers to a value or a type, not to a property. */
function isReference(
  node: ESTree.Node,
  parent: ESTree.Node | undefined,
  key: string,
): node is ESTree.Node & { type: "Identifier"; name: string } {
  if (node.type !== "Identifier") return false;
  const isPropertyName =
    (key === "property" || key === "key") &&
    parent !== undefined &&
    "computed" in parent &&
    !parent.computed;
  return !isPropertyName;
}

function readsEnvironment(node: ESTree.Node): boolean {
  if (isMember(node, "process", "env")) return true;
  if (node.type === "VariableDeclarator")
    return (
      node.id.type === "ObjectPattern" && node.init !== null && isNamed(node.init, ["process"])
    );
  if (node.type === "ImportDeclaration") return /^(?:node:)?process$/.test(node.source.value);
  return (
    node.type === "MemberExpression" &&
    node.object.type === "MetaProperty" &&
    isNamed(node.property, ["env"])
  );
}

function throwsPlainError(node: ESTree.Node): boolean {
  if (node.type !== "ThrowStatement") return false;
  const { argument } = node;
  return (
    (argument.type === "NewExpression" || argument.type === "CallExpression") &&
    isNamed(argument.callee, ["Error", "TypeError", "RangeError"])
  );
}

function isDefaultExport(node: ESTree.Node): boolean {
  if (node.type === "ExportDefaultDeclaration") return true;
  return node.type === "ExportSpecifier" && isNamed(node.exported, ["default"]);
}

function notErasable(node: ESTree.Node): string | undefined {
  switch (node.type) {
    case "TSEnumDeclaration":
      return "enum";
    case "TSModuleDeclaration":
      return node.declare ? undefined : "namespace";
    case "TSParameterProperty":
      return "parameter property";
    case "TSImportEqualsDeclaration":
    case "TSExportAssignment":
      return "import or export assignment";
    default:
      return undefined;
  }
}

/** Bundles the package with its dependencies, and returns the modules of Node that it needs. */
async function nodeModulesInBundle(entry: string): Promise<string[]> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: false, lib: { entry, formats: ["es"] } },
  });
  const outputs = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  return outputs.flatMap((output) => {
    if (output.type !== "chunk") return [];
    // Vite replaces a module of Node with an empty module.
    const emptied = output.moduleIds.filter((id) => id.includes("vite-browser-external"));
    return [...output.imports, ...output.dynamicImports, ...emptied];
  });
}
