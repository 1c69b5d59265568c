// Usage: node bench/read-profile.ts <file.cpuprofile>. Shows where the CPU time went, by package
// and by function. `bench/run.ts --profile <folder>` writes the profiles.
import { readFile } from "node:fs/promises";

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const path = process.argv[2];
if (path === undefined) {
  console.error("Name a .cpuprofile file.");
  process.exit(2);
}
const { nodes, samples, timeDeltas } = JSON.parse(await readFile(path, "utf8")) as Profile;

const selfMs = new Map<number, number>();
for (const [index, id] of samples.entries())
  selfMs.set(id, (selfMs.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
const byId = new Map(nodes.map((node) => [node.id, node]));
const self = new Map<string, number>();
const total = new Map<string, number>();
const packages = new Map<string, number>();

/** The total time counts a function once on each stack, however often it recurs. */
function visit(id: number, stack: ReadonlySet<string>): number {
  const node = byId.get(id);
  if (!node) return 0;
  const { functionName, url, lineNumber } = node.callFrame;
  const name = `${functionName || "(anonymous)"} ${shorten(url)}:${lineNumber + 1}`;
  const own = selfMs.get(id) ?? 0;
  add(self, name, own);
  add(packages, packageOf(url, functionName), own);
  const inside = new Set(stack).add(name);
  const all =
    own + (node.children ?? []).reduce((before, child) => before + visit(child, inside), 0);
  if (!stack.has(name)) add(total, name, all);
  return all;
}

const idle = new Set(["(idle)", "(program)", "(root)"]);
const everything = visit(nodes[0]?.id ?? 0, new Set());
const busy =
  everything - [...packages].reduce((before, [name, ms]) => before + (idle.has(name) ? ms : 0), 0);
console.log(`${busy.toFixed(0)} ms busy of ${everything.toFixed(0)} ms`);
print("by package (self)", packages, 30);
print("by function (self)", self, 60);
print("by function (with what it calls)", total, 150);

function print(title: string, entries: ReadonlyMap<string, number>, count: number): void {
  console.log(`\n${title}`);
  const rows = [...entries]
    .filter(([name]) => !idle.has(name.split(" ")[0] ?? ""))
    .toSorted(([, a], [, b]) => b - a);
  for (const [name, ms] of rows.slice(0, count))
    console.log(
      `${((ms * 100) / busy).toFixed(1).padStart(6)} %  ${ms.toFixed(0).padStart(7)} ms  ${name}`,
    );
}

function add(to: Map<string, number>, name: string, ms: number): void {
  to.set(name, (to.get(name) ?? 0) + ms);
}

function shorten(url: string): string {
  return url.replace(/^file:\/\/.*?\/(?=packages\/|bench\/|apps\/|node_modules\/)/, "");
}

function packageOf(url: string, functionName: string): string {
  if (url === "")
    return idle.has(functionName) || functionName === "(garbage collector)"
      ? functionName
      : "(native)";
  if (url.startsWith("node:")) return url.split("/").slice(0, 3).join("/");
  return /(?:packages|apps)\/[^/]+|node_modules\/(?:@[^/]+\/)?[^/]+|bench/.exec(url)?.[0] ?? url;
}
