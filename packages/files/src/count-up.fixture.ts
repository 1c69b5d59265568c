// Adds one to the number in a file, several times, as a process of its own.
import { readFile } from "node:fs/promises";
import { withFileLock } from "./file-lock.ts";
import { replaceFile } from "./home-folder.ts";

const [file = "", times = "0"] = process.argv.slice(2);
for (let done = 0; done < Number(times); done++)
  await withFileLock(file, async () => {
    const before = Number(await readFile(file, "utf8"));
    await replaceFile(file, String(before + 1));
  });
