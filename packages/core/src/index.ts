export { BronError, messageOf, unreachable, type BronErrorOptions } from "./errors.ts";
