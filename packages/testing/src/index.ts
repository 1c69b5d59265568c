export { scriptedLanguageModel, type Script, type ScriptedAnswer, type ScriptedCall } from "./models/scripted-language-model.ts";
