export { chooseModel } from "./choose-model.ts";
export { chooseModels, type ChosenModels } from "./choose-models.ts";
export type { ChosenModel, ModelSettings } from "./model-settings.ts";
