export { chooseModel } from "./choose-model.ts";
export type { ChosenModel, ModelSettings } from "./model-settings.ts";
