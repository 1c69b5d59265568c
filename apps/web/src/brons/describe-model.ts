import type { ModelView } from "@bron/protocol";
import { formatDollars } from "../money.ts";
import { bronsWords } from "../words/brons.ts";
import { formatCount } from "../usage/amounts.ts";

/** The window, the price and the abilities of a model, in one line. */
export function describeModel({ contextTokens, price, acceptsImages }: ModelView): string {
  return [
    ...(contextTokens === null ? [] : [bronsWords.modelWindow(formatCount(contextTokens))]),
    price === null
      ? bronsWords.modelPriceUnknown
      : bronsWords.modelPrice(formatDollars(price.input), formatDollars(price.output)),
    acceptsImages ? bronsWords.modelImages : bronsWords.modelNoImages,
  ].join(" · ");
}
