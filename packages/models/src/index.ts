export { chooseModel } from "./choose-model.ts";
export type { ChosenModel, ModelProvider, ModelSettings } from "./model-settings.ts";
export { findPrice, type ModelPrice } from "./price.ts";
