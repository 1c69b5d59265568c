import { openSharedSimulator } from "./shared-simulator.ts";

// A process of a home that uses its world until its input ends, or until it is killed.
const [, , home = ""] = process.argv;
const simulator = await openSharedSimulator(home);
process.stdout.write(`${simulator.url}\n`);
process.stdin.resume().once("end", () => void simulator.close());
