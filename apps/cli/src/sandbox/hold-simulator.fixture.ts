import { openSharedSimulator } from "./shared-simulator.ts";

// Uses the simulator of a home until its standard input ends, or until it is killed.
const [, , home = ""] = process.argv;
const simulator = await openSharedSimulator(home);
process.stdout.write(`${simulator.url}\n`);
process.stdin.resume().once("end", () => void simulator.close());
