import { holdOffersOf, type ApprovalView, type HoldOffer } from "@bron/protocol";

/**
 * The commands that keep Bron from asking about such an effect again. Others may have chosen the
 * address, so it is shown only if a shell takes it as it is.
 */
export function describeHoldOffers(
  approval: Pick<ApprovalView, "tool" | "kind" | "risks">,
  calledAs: string,
): string[] {
  const commands = holdOffersOf(approval).flatMap(commandOf);
  if (commands.length === 0) return [];
  return [
    "To stop being asked about this from the next task on (--private: also after reading your email):",
    ...commands.map((command) => `  ${calledAs} ${command}`),
    "",
  ];
}

const plainAddress = /^[a-z0-9][\w.+-]{0,63}@[a-z0-9][a-z0-9.-]{0,188}$/i;
const plainHost = /^[a-z0-9][a-z0-9.-]{0,252}$/i;

function commandOf(offer: HoldOffer): string[] {
  if (offer.kind === "name")
    return plainAddress.test(offer.address)
      ? [`permissions allow "<what you call them> <${offer.address}>"`]
      : [];
  const target =
    "host" in offer
      ? plainHost.test(offer.host) && `--host ${offer.host}`
      : plainAddress.test(offer.recipient) && offer.recipient;
  return target === false || !/^\w+$/.test(offer.tool)
    ? []
    : [`permissions grant ${offer.tool} ${target} --days 7`];
}
