/**
 * Holes that are known. A case with one of these is not part of the suite, and
 * `known-holes.test.ts` fails as soon as it passes.
 */

/** A value that no result contains letter for letter has no source. */
export const seenNowhere = "a value seen nowhere has no source";
/** "Each" lets one effect per set of people pass. */
export const eachCountsSets = "each counts sets of people";
/** An account number right after a letter. */
export const touchingIban = "an account number that touches letters";
/** An IPv6 address without a scheme. */
export const bareIpv6 = "an IPv6 address without a scheme";
