import { fileURLToPath } from "node:url";
import { build } from "vite";

export interface Guard {
  /** In packages/page-widget/src. */
  readonly file: string;
  /** The code that guards, exactly once in the file. */
  readonly code: string;
  readonly without: string;
}

const source = fileURLToPath(new URL("../../../../packages/page-widget/src/", import.meta.url));

/** Builds the chat without one of its guards. Throws if the guard is not in its file. */
export async function buildWithout({ file, code, without }: Guard): Promise<string> {
  let found = 0;
  const built = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "remove-guard",
        enforce: "pre",
        transform(text, id) {
          if (!id.endsWith(`/${file}`)) return undefined;
          found = text.split(code).length - 1;
          return text.replace(code, () => without);
        },
      },
    ],
    build: {
      write: false,
      lib: { entry: `${source}script-tag.ts`, formats: ["iife"], name: "bronChat" },
    },
  });
  if (found !== 1) throw new Error(`${file} has the guard ${found} times: ${code}`);
  const [first] = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  return first && "code" in first ? first.code : "";
}
