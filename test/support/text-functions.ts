import type { TextKind } from "./hostile-texts.ts";
import { clientFunctions } from "./text-functions/client-functions.ts";
import { connectorsFunctions } from "./text-functions/connectors-functions.ts";
import { coreFunctions } from "./text-functions/core-functions.ts";
import { documentsFunctions } from "./text-functions/documents-functions.ts";
import { jsonSchemaFunctions } from "./text-functions/json-schema-functions.ts";
import { protocolFunctions } from "./text-functions/protocol-functions.ts";
import { serverFunctions } from "./text-functions/server-functions.ts";
import { settingsFunctions } from "./text-functions/settings-functions.ts";
import { simulatorFunctions } from "./text-functions/simulator-functions.ts";
import { skillsFunctions } from "./text-functions/skills-functions.ts";
import type { Run, TextModule } from "./text-functions/text-module.ts";

const modules: Readonly<Record<string, TextModule>> = {
  ...protocolFunctions,
  ...coreFunctions,
  ...jsonSchemaFunctions,
  ...settingsFunctions,
  ...connectorsFunctions,
  ...documentsFunctions,
  ...clientFunctions,
  ...serverFunctions,
  ...simulatorFunctions,
  ...skillsFunctions,
};

interface TextFunction {
  readonly name: string;
  readonly run: Run;
  readonly kinds: readonly TextKind[];
  readonly share: number;
}

/** Every function that receives untrusted text, each as a call with this text. */
export const textFunctions: TextFunction[] = Object.entries(modules).flatMap(
  ([module, { runs, kinds = [], share = 1 }]) =>
    Object.entries(runs).map(([name, run]) => ({
      name: `${module} ${name}`,
      run: tolerant(run),
      kinds: ["any", ...kinds],
      share,
    })),
);

/** Functions that these modules export and that no case here runs. */
export function forgottenFunctions(): string[] {
  return Object.entries(modules).flatMap(([module, { exports, runs, without = [] }]) => {
    const known = new Set([
      ...Object.keys(runs).map((name) => name.split(" ")[0] ?? ""),
      ...without,
    ]);
    return Object.entries(exports).flatMap(([name, value]) =>
      typeof value === "function" && !known.has(name) ? [`${module} ${name}`] : [],
    );
  });
}

/** A function that rejects a text has read it too, so the error is ignored. */
function tolerant(run: Run): Run {
  return async (text) => {
    try {
      await run(text);
    } catch {
      return undefined;
    }
  };
}
