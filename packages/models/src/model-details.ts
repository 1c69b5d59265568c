import { omitUndefined } from "@bron/protocol";
import type { ModelPrice } from "./price.ts";
import { fileGroups } from "./accepted-files.ts";
import { invalidSetting, trimmed } from "./setting-checks.ts";

/** What an installation says about a model, in place of Bron's own tables. */
interface ModelDetails {
  readonly price?: ModelPrice;
  readonly contextTokens?: number;
  readonly accepts?: readonly string[];
}

const variable = "BRON_MODEL_DETAILS";
const maxUsd = 10_000;

/**
 * Parses `name price=2.5/10/0.25 window=128000 files=image+pdf; name ...`. A price is in US dollars per million
 * tokens: input, output and, optionally, cached input. Throws config_invalid.
 */
export function parseModelDetails(text: string | undefined): ReadonlyMap<string, ModelDetails> {
  const entries = (trimmed(text) ?? "").split(";").flatMap((entry) => trimmed(entry) ?? []);
  return new Map(
    entries.map((entry) => {
      const [name = "", ...fields] = entry.split(/\s+/);
      if (!name.includes("/") || fields.length === 0) throw invalidDetails(entry);
      return [name, Object.assign({}, ...fields.map((field) => parseField(field, entry)))];
    }),
  );
}

function parseField(field: string, entry: string): ModelDetails {
  const [key, value = ""] = field.split("=");
  if (key === "price") return { price: parsePrice(value, entry) };
  if (key === "window" && /^\d{3,9}$/.test(value)) return { contextTokens: Number(value) };
  const accepts = key === "files" ? fileGroups[value] : undefined;
  if (accepts) return { accepts };
  throw invalidDetails(entry);
}

function parsePrice(value: string, entry: string): ModelPrice {
  const [input, output, cached, ...rest] = value
    .split("/")
    .map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
  const isValid = (usd: number | undefined) => usd !== undefined && usd <= maxUsd;
  if (
    input === undefined ||
    output === undefined ||
    rest.length > 0 ||
    ![input, output, cached ?? 0].every(isValid)
  )
    throw invalidDetails(entry);
  return omitUndefined({
    inputMicrousdPerMillion: microusd(input),
    cachedInputMicrousdPerMillion: cached === undefined ? undefined : microusd(cached),
    outputMicrousdPerMillion: microusd(output),
  });
}

const microusd = (usd: number) => Math.round(usd * 1_000_000);

function invalidDetails(entry: string) {
  return invalidSetting(
    variable,
    `${variable} has an invalid entry: "${entry}". Write for example: openai/my-model price=2.5/10/0.25 window=128000 files=image+pdf. Prices are US dollars per million tokens: input, output and cached input. Separate models with a semicolon.`,
  );
}
