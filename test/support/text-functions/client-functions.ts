import * as frameParser from "../../../packages/client/src/frame-parser.ts";
import * as readLines from "../../../packages/client/src/read-lines.ts";
import type { TextModule } from "./text-module.ts";

export const clientFunctions: Readonly<Record<string, TextModule>> = {
  "client/frame-parser": {
    exports: frameParser,
    runs: {
      createFrameParser(text) {
        const parse = frameParser.createFrameParser();
        for (let at = 0; at < text.length; at += 512) parse(text.slice(at, at + 512));
        return parse("\n\n");
      },
    },
  },
  "client/read-lines": {
    exports: readLines,
    share: 1 / 4,
    runs: {
      async readLines(text) {
        const bytes = new TextEncoder().encode(JSON.stringify(text));
        const chunks = Array.from({ length: Math.ceil(bytes.length / 512) }, (_, index) =>
          bytes.slice(index * 512, (index + 1) * 512),
        );
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => (
            chunks.forEach((chunk) => controller.enqueue(chunk)),
            controller.close()
          ),
        });
        for await (const line of readLines.readLines(body)) if (line === undefined) return;
      },
    },
  },
};
