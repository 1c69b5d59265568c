import { filesToShow, shownTokens } from "../../context/shown-files.ts";
import { afford, budgetFailure, isCapped, reserveMicrousd } from "../../budget/reservation.ts";
import { chooseModel, type ModelChoice } from "../../model/model-set.ts";
import { maxAuxiliaryTokens } from "../../model/auxiliary-request.ts";
import type { RunModel } from "../../ports/model.ts";
import { extendModelNames } from "../../tool/tool-names.ts";
import type { Draft } from "./draft.ts";
import type { LoopFacts } from "./loop-facts.ts";
import type { RunState } from "../state/run-state.ts";
import { budgetOf } from "../../budget/budget-of.ts";
import { withSkills } from "../../skill/run-skills.ts";
import { endRun } from "./end-run.ts";
import { stepCapOf, type Ending } from "./ending.ts";
import type { Move, MoveBuilder } from "./move-builder.ts";
import { recordLostCall } from "./record-model-call.ts";

/** Starts the next model call, unless a limit ends the run or the call must wait. */
export function nextStep(builder: MoveBuilder): Move {
  const { draft, facts, inFlight } = builder;
  const end = (ending: Ending) => endRun(builder, ending);
  if (!inFlight.has("model")) recordLostCall(draft, true);
  // Models require tool results before the next user message.
  for (const message of draft.state().pendingUserMessages)
    draft.emit({ type: "message", payload: { role: "user", ...message } });
  const { retry, step, messageBytes, modelFailure, lastModel } = draft.state();
  if (modelFailure) return end({ outcome: "failed", error: modelFailure });
  if (retry && facts.now < retry.notBefore) {
    builder.waitUntil(retry.notBefore);
    return builder.build();
  }
  const capped = retry ? undefined : stepCapOf(draft.state(), facts.run.caps);
  if (capped) return end(capped);
  const choice = chooseStepModel(draft.state(), facts);
  const model = draft.state().kind === "upkeep" ? withShortOutput(choice.model) : choice.model;
  const files = draft.state().hidesFiles
    ? []
    : filesToShow(draft.state().files, model, isCapped(facts.run));
  const reservedMicrousd = reserveMicrousd(
    facts.requests.fixedBytes() + messageBytes + shownTokens(files),
    model,
  );
  const affordable = afford(budgetOf(facts, draft.state()), {
    reservedMicrousd,
    model,
    ...(retry ? {} : { steps: step + 1 }),
  });
  if (!affordable.ok) return end({ outcome: "failed", error: affordable });
  if (affordable.draw && facts.budgetRefusal)
    return end({ outcome: "failed", error: budgetFailure(facts.budgetRefusal) });
  builder.draw(affordable.draw);
  draft.running("planning");
  if (choice.replaced && model.name !== lastModel)
    draft.emit({
      type: "log",
      payload: { level: "warn", kind: "model_replaced", ...choice.replaced, model: model.name },
    });
  recordSkillSet(draft, facts.skills);
  recordToolSet(draft, withSkills(facts.tools, draft.state(), facts.skills).offered);
  const attemptOfStep = retry ? { step, attempt: retry.attempt } : { step: step + 1, attempt: 1 };
  draft.emit({
    type: "step",
    payload: {
      phase: "start",
      ...attemptOfStep,
      model: model.name,
      reservedMicrousd,
      requestDigest: facts.requests.digest(draft.state(), {
        maxOutputTokens: model.maxOutputTokens,
        files,
      }),
      ...(files.length > 0 ? { files: files.map(({ digest }) => digest) } : {}),
      activeMs: facts.activeMs,
    },
  });
  builder.start({ kind: "model", ...attemptOfStep, model, files });
  return builder.build();
}

/** A summary is short, so that its reservation stays small. */
function withShortOutput(model: RunModel): RunModel {
  return { ...model, maxOutputTokens: Math.min(model.maxOutputTokens, maxAuxiliaryTokens) };
}

/** The run's choice comes before its Bron's. A repeated attempt keeps the model that the log names. */
function chooseStepModel({ retry, kind, chosenModel }: RunState, facts: LoopFacts): ModelChoice {
  const { models, isModelDown, run } = facts;
  if (retry) return chooseModel(models, retry.model, () => false);
  if (kind === "upkeep") return chooseModel(models, models.light.name, isModelDown);
  return chooseModel(models, chosenModel ?? run.bronModel ?? models.main.name, isModelDown);
}

/** Pins the skills of the run before its first step. They stay the same until it ends. */
function recordSkillSet(draft: Draft, skills: LoopFacts["skills"]): void {
  const { skillSet, step } = draft.state();
  if (skillSet || step > 0 || skills.length === 0) return;
  const payload = { skills: Object.fromEntries(skills.map(({ name, pinned }) => [name, pinned])) };
  draft.emit({ type: "skill_set", payload });
}

/** Emits the tools that the model is offered, if they are not those that the log has. */
function recordToolSet(draft: Draft, offered: ReadonlyMap<string, string>): void {
  const { toolSet, modelNames } = draft.state();
  const isSame =
    toolSet?.size === offered.size &&
    [...offered].every(([name, digest]) => toolSet.get(name) === digest);
  if (isSame) return;
  const extended = extendModelNames(modelNames, offered.keys());
  const aliases = [...offered.keys()].flatMap((name) => {
    const modelName = extended.get(name) ?? name;
    return modelName === name ? [] : [[name, modelName] as const];
  });
  draft.emit({
    type: "tool_set",
    payload: {
      tools: Object.fromEntries(offered),
      ...(aliases.length > 0 ? { aliases: Object.fromEntries(aliases) } : {}),
    },
  });
}
