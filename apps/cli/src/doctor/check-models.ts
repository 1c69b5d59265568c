import { BronError, messageOf } from "@bron/core";
import { findLocalModels, type ChosenModel } from "@bron/models";
import { localServerNames } from "@bron/protocol";
import { oneLine } from "../render/visible.ts";
import { describeModels, modelNameOf } from "../compose.ts";
import type { Config } from "../config.ts";
import type { Check } from "./checks.ts";

/** One check for each model, with its price and its context window. */
export function checkModels(config: Config): Check[] {
  try {
    const { main, light, lastResort, others } = describeModels(config);
    return [
      main.demo ? demoModel : described("Model", main),
      ...(light ? [described("Light model", light)] : []),
      ...(lastResort ? [described("Last resort", lastResort)] : []),
      ...others.map((model) => described("Other model", model)),
    ];
  } catch (error) {
    return [
      {
        name: "Model",
        level: "problem",
        text: messageOf(error),
        ...(BronError.is(error) ? { next: error.hint } : {}),
      },
    ];
  }
}

/** Asks the usual ports of this machine, because someone asked. */
export async function checkLocalModels({ localModels }: Config): Promise<Check> {
  const servers = await findLocalModels(localModels);
  const texts = servers.map(
    ({ id, models }) =>
      `${localServerNames[id]} (${models.length === 0 ? "no model" : models.map(oneLine).join(", ")})`,
  );
  const [server] = servers.filter(({ models }) => models.length > 0);
  return {
    name: "Local models",
    level: "ok",
    text: texts.join("\n") || "none found",
    ...(server ? { next: `To use one: bron models use ${server.id}/${server.models[0]}` } : {}),
  };
}

/** False if the models are not configured well, which `checkModels` reports. */
export function isDemoMode(config: Config): boolean {
  try {
    return describeModels(config).main.demo;
  } catch {
    return false;
  }
}

const demoModel: Check = {
  name: "Model",
  level: "warn",
  text: "demo model (no model key set)",
  next: "Set GEMINI_API_KEY or ANTHROPIC_API_KEY to use a real model.",
};

function described(name: string, { price, contextTokens, ...model }: ChosenModel): Check {
  const dollars = (microusd: number) => `$${microusd / 1_000_000}`;
  const details = [
    ...(price && !model.demo
      ? [
          `${dollars(price.inputMicrousdPerMillion)} per million tokens in`,
          `${dollars(price.outputMicrousdPerMillion)} out`,
        ]
      : []),
    ...(price ? [] : ["price unknown, so it can't be used with a spending limit"]),
    ...(contextTokens === undefined
      ? []
      : [`context of ${contextTokens.toLocaleString("en-US")} tokens`]),
  ];
  return { name, level: "ok", text: `${modelNameOf(model)} (${details.join(", ")})` };
}
