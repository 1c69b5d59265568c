import * as addressing from "../../../packages/protocol/src/address-owner.ts";
import * as pastedText from "../../../packages/protocol/src/pasted-text.ts";
import * as visibility from "../../../packages/protocol/src/visible.ts";
import type { TextModule } from "./text-module.ts";

export const protocolFunctions: Readonly<Record<string, TextModule>> = {
  "protocol/address-owner": {
    exports: addressing,
    runs: { addressOwner: addressing.addressOwner },
  },
  "protocol/pasted-text": {
    exports: pastedText,
    kinds: ["lines"],
    runs: {
      describeText: pastedText.describeText,
      isMoreThanALine: pastedText.isMoreThanALine,
    },
  },
  "protocol/visible": {
    exports: visibility,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      hasHidden: visibility.hasHidden,
      spellOut: visibility.spellOut,
      visible: visibility.visible,
    },
  },
};
