import { omitUndefined } from "@bron/protocol";
import { chooseModel } from "./choose-model.ts";
import type { ChosenModel, ModelSettings } from "./model-settings.ts";
import { trimmed } from "./setting-checks.ts";

/** The models of an installation. A role without a model is served by the main one. */
export interface ChosenModels {
  readonly main: ChosenModel;
  readonly light?: ChosenModel;
  readonly lastResort?: ChosenModel;
  readonly others: readonly ChosenModel[];
}

/** Throws like `chooseModel`. Each error names the variable of its role. */
export function chooseModels(settings: ModelSettings): ChosenModels {
  const choose = (name: string | undefined, variable: string) => {
    const model = trimmed(name);
    return model === undefined ? undefined : chooseModel({ ...settings, model }, variable);
  };
  const light = choose(settings.lightModel, "BRON_LIGHT_MODEL");
  const lastResort = choose(settings.lastResortModel, "BRON_LAST_RESORT_MODEL");
  const others = (settings.otherModels ?? "").split(",");
  return {
    main: chooseModel(settings),
    ...omitUndefined({ light, lastResort }),
    others: others.flatMap((name) => choose(name, "BRON_OTHER_MODELS") ?? []),
  };
}
