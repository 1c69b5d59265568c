import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/sdk/types.js";

/** Answers what a server asks the owner during a call. Never throws. */
export type Elicit = (request: ElicitRequestFormParams) => Promise<ElicitResult>;
