import { openSharedWorld } from "./shared-world.ts";

// A process of a home that uses its world until its input ends, or until it is killed.
const [, , home = ""] = process.argv;
const world = await openSharedWorld(home);
process.stdout.write(`${world.url}\n`);
process.stdin.resume().once("end", () => void world.close());
