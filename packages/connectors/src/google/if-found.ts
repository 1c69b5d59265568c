import { BronError } from "@bron/core";

/**
 * The result of a read, or undefined if the account does not have the thing. A thing can disappear
 * after it was listed. No other error proves that it does not exist.
 */
export async function ifFound<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (BronError.is(error, "not_found")) return undefined;
    throw error;
  }
}
