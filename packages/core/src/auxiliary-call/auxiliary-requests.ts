import type { AuxiliaryRequest } from "../model/auxiliary-request.ts";
import type { RunState } from "../run/state/run-state.ts";

/**
 * The auxiliary calls that a run in this state needs before its next step. A pure function: after a
 * crash it is asked again. Results are in `state.auxiliaryCalls`, by purpose.
 */
export type AuxiliaryRequests = (state: RunState) => readonly AuxiliaryRequest[];

export const noAuxiliaryRequests: AuxiliaryRequests = () => [];
