import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Command } from "./parser-command.ts";

/** A program that starts the parser with restricted access to the system. */
export interface Jail {
  readonly level: "bubblewrap" | "namespace";
  readonly program: string;
  readonly wrap: (command: Command) => Command;
}

/** Fixed paths, because a program that isolates others must not be looked up in PATH. */
const folders = ["/usr/bin", "/usr/local/bin", "/bin", "/run/current-system/sw/bin"];
const libraryFolders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"];
const probeMs = 5_000;

/** Installed jails, strongest first. */
export function availableJails(): Jail[] {
  if (process.platform !== "linux") return [];
  return [["bwrap", bubblewrap] as const, ["unshare", namespace] as const].flatMap(
    ([name, jailOf]) => {
      const program = folders.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
      return program === undefined ? [] : [jailOf(program)];
    },
  );
}

/**
 * Separate namespaces for everything: no network, no other processes, and only the files that the
 * parser reads.
 */
export function bubblewrap(program: string): Jail {
  const closed = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--clearenv",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return {
    level: "bubblewrap",
    program,
    wrap({ file, args, reads, folder }) {
      const binds = [file, ...reads].flatMap((path) => ["--ro-bind", path, path]);
      const libraries = libraryFolders.flatMap((path) => ["--ro-bind-try", path, path]);
      return {
        file: program,
        args: [...closed, ...libraries, ...binds, "--chdir", folder, "--", file, ...args],
        reads,
        folder,
      };
    },
  };
}

/**
 * A separate, empty network and an unprivileged user. The program replaces itself with the parser,
 * so the parser stays our direct child.
 */
export function namespace(program: string): Jail {
  return {
    level: "namespace",
    program,
    wrap: ({ file, args, reads, folder }) => ({
      file: program,
      args: ["--user", "--net", "--", file, ...args],
      reads,
      folder,
    }),
  };
}

/**
 * Whether Node starts inside it. Many machines have the program but forbid the namespaces that it
 * needs.
 */
export async function jailWorks(jail: Jail, command: Command): Promise<boolean> {
  const probe = jail.wrap({ ...command, args: ["--eval", "0"] });
  const child = spawn(probe.file, probe.args, {
    env: {},
    stdio: "ignore",
    timeout: probeMs,
    killSignal: "SIGKILL",
  });
  return await new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
