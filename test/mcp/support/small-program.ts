// The small server as a program: `node small-program.ts <mode> <file>`. It notes its calls in the
// file, and its mode may be changed there between two starts.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createSmallServer, type SmallServerMode } from "./small-server.ts";

const [given = "good", notes = ""] = process.argv.slice(2);
const modeFile = `${notes}.mode`;
const mode = existsSync(modeFile) ? readFileSync(modeFile, "utf8") : given;
const note = (line: string) => {
  if (notes !== "") appendFileSync(notes, `${line}\n`);
};
note(`start ${process.pid} ${Object.keys(process.env).toSorted().join(",")}`);
const handle = createSmallServer({
  mode: mode as SmallServerMode,
  send: (message) =>
    void process.stdout.write(
      `${typeof message === "string" ? message : JSON.stringify(message)}\n`,
    ),
  die() {
    process.stderr.write("out of cheese\n");
    process.exit(3);
  },
  onCall: (name, input) => note(`call ${name} ${JSON.stringify(input)}`),
});
createInterface({ input: process.stdin }).on("line", (line) =>
  handle(JSON.parse(line) as Parameters<typeof handle>[0]),
);
