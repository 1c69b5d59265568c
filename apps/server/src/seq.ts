import { z } from "zod";

/** A place in a log, as text of an address or a header; no log is longer than the database can count. */
export const seqSchema = z.coerce.number().int().nonnegative().max(2 ** 31 - 1);
