export { chooseModel } from "./choose-model.ts";
export { chooseModels, type ChosenModels } from "./choose-models.ts";
export { findLocalModels, type LocalPorts } from "./local-models.ts";
export { pricedModels } from "./price.ts";
export type { ChosenModel, ModelSettings } from "./model-settings.ts";
