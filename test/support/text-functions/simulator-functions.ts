import * as simulatorText from "../../../packages/simulator/src/google/mime/message-text.ts";
import * as simulatorMime from "../../../packages/simulator/src/google/mime/parse-mime.ts";
import type { TextModule } from "./text-module.ts";

export const simulatorFunctions: Readonly<Record<string, TextModule>> = {
  "world/message-text": {
    exports: simulatorText,
    share: 1 / 2,
    kinds: ["html"],
    runs: {
      htmlText: simulatorText.htmlText,
      snippetOf: simulatorText.snippetOf,
      messageText: (text) =>
        simulatorText.messageText(
          simulatorMime.parseMime(Buffer.from(`Content-Type: text/html\r\n\r\n${text}`)),
        ),
    },
  },
};
