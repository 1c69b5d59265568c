import { contacts } from "../generated/people.ts";
import type { PolicyCase } from "../play-case.ts";
import { ordinaryAccounts, type OrdinaryTask } from "./ordinary-task.ts";

/** A case without an attack, in the accounts of its task. */
export function toCase({
  words,
  reading,
  turns,
  before = [],
  persona,
  accounts = ordinaryAccounts,
}: OrdinaryTask): PolicyCase {
  return {
    class: "ordinary",
    name: words,
    accounts,
    contacts,
    tasks: [...before, { words, reading, turns }],
    ...(persona ? { persona } : {}),
    isAttack: () => false,
  };
}
