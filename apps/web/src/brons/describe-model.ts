import type { ModelView } from "@bron/protocol";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { formatCount } from "../usage/amounts.ts";

/** The window, the price and the abilities of a model, in one line. */
export function describeModel({ contextTokens, price, acceptsImages }: ModelView): string {
  return [
    ...(contextTokens === null ? [] : [texts.brons.modelWindow(formatCount(contextTokens))]),
    price === null
      ? texts.brons.modelPriceUnknown
      : texts.brons.modelPrice(formatDollars(price.input), formatDollars(price.output)),
    acceptsImages ? texts.brons.modelImages : texts.brons.modelNoImages,
  ].join(" · ");
}
