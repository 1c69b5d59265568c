import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Command } from "./parser-command.ts";

/** A program that starts the parser with less around it than it would have. */
export interface Wall {
  readonly level: "bubblewrap" | "namespace";
  readonly program: string;
  readonly wrap: (command: Command) => Command;
}

/** Fixed places: a program that locks others up is not looked for along a PATH. */
const folders = ["/usr/bin", "/usr/local/bin", "/bin", "/run/current-system/sw/bin"];
const libraryFolders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"];
const probeMs = 5_000;

/** Those that are installed, the strongest first. */
export function wallsHere(): Wall[] {
  if (process.platform !== "linux") return [];
  return [["bwrap", bubblewrap] as const, ["unshare", namespace] as const].flatMap(
    ([name, wallOf]) => {
      const program = folders.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
      return program === undefined ? [] : [wallOf(program)];
    },
  );
}

/** Namespaces of its own for everything: no network, no other processes, and of the files only what it reads. */
export function bubblewrap(program: string): Wall {
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

/** A network of its own, which leads nowhere, as a user who is nobody. The program becomes the parser, so its process stays the child. */
export function namespace(program: string): Wall {
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

/** Whether Node starts behind it. Many machines have the program but forbid the namespaces that it needs. */
export async function wallWorks(wall: Wall, command: Command): Promise<boolean> {
  const probe = wall.wrap({ ...command, args: ["--eval", "0"] });
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
