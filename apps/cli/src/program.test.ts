import { expect, test } from "vitest";
import { commandsOf, commandTree } from "./completion/command-tree.ts";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import { createProgram, runProgram, type ConfigSource } from "./program.ts";
import type { Runner } from "./program/runner.ts";

const runNothing = () => Promise.resolve();
const noSettings: ConfigSource = {
  load: () => expect.unreachable("Help needs no settings."),
  read: () => expect.unreachable("Help needs no settings."),
};

test("every command has help with an example, and every leaf command has --json", async () => {
  const program = createProgram({
    run: runNothing,
    runWithSettings: runNothing,
    runAnyway: runNothing,
  });
  const all = commandsOf(commandTree(program)).filter(({ command }) => command.name !== "help");
  expect(all.length).toBeGreaterThan(15);
  for (const { trail, command } of all.slice(1)) {
    const terminal = createFakeTerminal();
    await runProgram([...trail.slice(1).split("/"), "--help"], terminal, noSettings);
    expect(terminal.written("out"), trail).toMatch(/\nExample:\n {2}\S/);
    if (command.children.length === 0)
      expect(
        command.options.map(({ flags }) => flags[0]),
        trail,
      ).toContain("--json");
  }
});

/** Finds the command that the arguments lead to, without loading it. */
async function commandOf(args: readonly string[]): Promise<unknown[]> {
  const called: unknown[] = [];
  const commands = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (_context: unknown, ...given: unknown[]) => {
          called.push(name, ...given);
          return Promise.resolve(0);
        },
    },
  );
  const record: Runner["runAnyway"] = async (_load, call) =>
    void (await call(commands as never, {} as never, []));
  await createProgram({ run: record, runWithSettings: runNothing, runAnyway: record }).parseAsync(
    args,
    { from: "user" },
  );
  return called;
}

const id = "1b2c3d4e";
const digest = "sha256:5c1f";

test.each<[args: string[], command: unknown[]]>([
  [
    ["run", "x", "--max-dollars", "0.50", "--detach"],
    ["runTask", "x", { maxDollars: 0.5, detach: true }],
  ],
  [
    ["run", "what", "is", "2+2", "--bron", "Nova", "--file", "a.pdf", "--file", "b.csv"],
    ["runTask", "what is 2+2", { bron: "Nova", file: ["a.pdf", "b.csv"] }],
  ],
  [["run"], ["runTask", undefined, {}]],
  [
    ["chat", "--bron", "Nova"],
    ["talk", { bron: "Nova" }],
  ],
  [
    ["logs", id, "-f"],
    ["showLogs", id, { follow: true, isLive: true }],
  ],
  [["logs"], ["showLogs", undefined, { isLive: false }]],
  [
    ["artifacts", "list", id, "--all"],
    ["listArtifacts", id, { all: true }],
  ],
  [
    ["artifacts", "save", id, "out", "--force"],
    ["saveArtifacts", id, "out", { force: true }],
  ],
  [
    ["runs", "list", "--limit", "1000"],
    ["listRuns", { limit: 1_000 }],
  ],
  [
    ["runs", "show", id],
    ["showRunDetails", id, {}],
  ],
  [
    ["runs", "cancel", id, "--reason", "late"],
    ["cancelRun", id, { reason: "late" }],
  ],
  [
    ["runs", "retry", id, "--detach"],
    ["retryRun", id, { detach: true }],
  ],
  [
    ["runs", "approve-send", id, "--deny", "--digest", digest],
    ["approveSend", id, { deny: true, digest }],
  ],
  [
    ["brons", "set", "Nova", "--tools", "a, b", "--model", "light"],
    ["setBron", "Nova", { tools: ["a", "b"], model: "light" }],
  ],
  [
    ["brons", "set", "Nova", "--all-tools", "--default-model"],
    ["setBron", "Nova", { allTools: true, defaultModel: true }],
  ],
  [
    ["models", "list", "--names"],
    ["listModels", { names: true }],
  ],
  [
    ["threads", "list", "--limit", "5"],
    ["listThreads", { limit: 5 }],
  ],
  [
    ["threads", "rename", id, "Lisbon"],
    ["renameThread", id, "Lisbon", {}],
  ],
  [
    ["threads", "export", id, "--output", "x.zip"],
    ["exportThread", id, { output: "x.zip" }],
  ],
  [
    ["threads", "delete", id, "--yes"],
    ["deleteThread", id, { yes: true }],
  ],
  [
    ["approvals", "list", "--all"],
    ["listApprovals", { all: true }],
  ],
  [
    ["approvals", "show", id],
    ["showApproval", id, {}],
  ],
  [
    ["approvals", "approve", id, "--digest", digest],
    ["decideApproval", "approve", id, { digest }],
  ],
  [
    ["approvals", "deny", id, "--digest", digest, "--reason", "no"],
    ["decideApproval", "deny", id, { digest, reason: "no" }],
  ],
  [
    ["approvals", "edit", id, "--set", "to=a", "--set", "to=b", "--detach"],
    ["decideApproval", "edit", id, { set: ["to=a", "to=b"], detach: true }],
  ],
  [
    ["approvals", "reply", id, "shorter"],
    ["decideApproval", "reply", id, { words: "shorter" }],
  ],
  [
    ["approvals", "undo", id],
    ["undoApproval", id, {}],
  ],
  [
    ["approvals", "batch", "--approve", "a=1", "--deny", "b=2", "--deny", "c=3"],
    ["decideMany", { approve: ["a=1"], deny: ["b=2", "c=3"] }],
  ],
  [
    ["effects", "settle", id, "--did-not-happen", "--note", "not there"],
    ["settleEffect", id, { didNotHappen: true, note: "not there" }],
  ],
  [
    ["permissions", "trust", "delegated"],
    ["setTrust", "delegated", {}],
  ],
  [
    ["permissions", "rule", "gmail_send", "deny"],
    ["putRule", "gmail_send", "deny", {}],
  ],
  [
    ["permissions", "grant", "gmail_send", "eva@example.com"],
    ["giveGrant", "gmail_send", "eva@example.com", { days: 7 }],
  ],
  [
    ["permissions", "rule", "web_fetch", "deny", "--host", "*.example.com"],
    ["putRule", "web_fetch", "deny", { host: "*.example.com" }],
  ],
  [
    ["permissions", "grant", "create_issue", "--server", "github", "--days", "1"],
    ["giveGrant", "create_issue", undefined, { server: "github", days: 1 }],
  ],
  [
    ["permissions", "effect", "mail", "--undo", "30", "--per-minute", "default"],
    ["setEffect", "mail", { undo: 30, perMinute: "default" }],
  ],
  [
    ["permissions", "remove", id],
    ["removePermission", id, {}],
  ],
  [
    ["tokens", "revoke", id],
    ["revokeToken", id, {}],
  ],
  [
    ["stop", "--all", "--yes"],
    ["stopAll", { all: true, yes: true }],
  ],
])("bron %j runs its command with its options", async (args, command) => {
  expect(await commandOf(args)).toEqual(command);
});
