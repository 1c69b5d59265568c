import * as amounts from "../../../packages/documents/src/fields/amounts.ts";
import * as checkFields from "../../../packages/documents/src/fields/check-fields.ts";
import * as dates from "../../../packages/documents/src/fields/dates.ts";
import * as containsStandalone from "../../../packages/documents/src/fields/contains-standalone.ts";
import * as foldText from "../../../packages/documents/src/fields/normalize.ts";
import * as passages from "../../../packages/documents/src/fields/passages.ts";
import * as splitLine from "../../../packages/documents/src/fields/split-line.ts";
import type { ParsedDocument } from "../../../packages/documents/src/parsed-document.ts";
import * as forModel from "../../../packages/documents/src/tools/for-model.ts";
import * as fullText from "../../../packages/documents/src/full-text.ts";
import type { TextModule } from "./text-module.ts";

const documentOf = (text: string): ParsedDocument => ({
  kind: "text",
  text,
  pages: [],
  tables: [],
  warnings: [],
  truncated: false,
});

export const documentsFunctions: Readonly<Record<string, TextModule>> = {
  "documents/amounts": {
    exports: amounts,
    share: 1 / 16,
    kinds: ["numbers"],
    runs: { amountsIn: amounts.amountsIn, asAmount: amounts.asAmount },
    without: ["isSameAmount"],
  },
  "documents/check-fields": {
    exports: checkFields,
    share: 1 / 32,
    kinds: ["numbers"],
    runs: {
      checkValues: (text) =>
        checkFields.checkValues(documentOf(text), [
          "5",
          "2026-11-16",
          text.slice(0, 100),
          `${text.slice(0, 50)}b${text.slice(0, 50)}`,
        ]),
    },
  },
  "documents/dates": {
    exports: dates,
    share: 1 / 4,
    kinds: ["numbers"],
    runs: { datesIn: dates.datesIn, asDates: dates.asDates },
  },
  "documents/contains-standalone": {
    exports: containsStandalone,
    share: 1 / 32,
    kinds: ["numbers"],
    runs: {
      containsStandalone: (text) => [
        containsStandalone.containsStandalone(text, text.slice(0, 3)),
        containsStandalone.containsStandalone(text, `${text.slice(0, 100)}b${text.slice(0, 100)}`),
      ],
    },
  },
  "documents/normalize": {
    exports: foldText,
    share: 1 / 4,
    kinds: ["numbers"],
    runs: { foldSigns: foldText.foldSigns, foldSpaces: foldText.foldSpaces },
  },
  "documents/passages": {
    exports: passages,
    share: 1 / 4,
    runs: { passagesOf: (text) => [...passages.passagesOf(documentOf(text))] },
  },
  "documents/split-line": {
    exports: splitLine,
    kinds: ["numbers"],
    runs: { splitLine: splitLine.splitLine },
  },
  "documents/for-model": {
    exports: forModel,
    runs: { forModel: (text) => forModel.forModel(documentOf(text)) },
  },
  "documents/full-text": {
    exports: fullText,
    runs: { fullText: (text) => fullText.fullText(documentOf(text)) },
  },
};
