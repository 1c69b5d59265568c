import { omitUndefined, type LogLine } from "@bron/protocol";
import type { RunModel } from "../ports/model.ts";

/** The models of an installation, or of an owner with an own key. */
export interface ModelSet {
  /** Used for steps, unless the run or its Bron chose another model. */
  readonly main: RunModel;
  /** Used for auxiliary calls. */
  readonly light: RunModel;
  /** Used while the model that was chosen is unavailable. */
  readonly lastResort?: RunModel;
  /** Every model that a run or a Bron can choose, by its name. */
  readonly byName: ReadonlyMap<string, RunModel>;
}

export interface ModelRoles {
  readonly main: RunModel;
  readonly light?: RunModel | undefined;
  readonly lastResort?: RunModel | undefined;
  /** Models without a role, which runs and Brons can choose. */
  readonly others?: readonly RunModel[] | undefined;
}

/** A single model serves every role. */
export function createModelSet({ main, light, lastResort, others = [] }: ModelRoles): ModelSet {
  const all = [main, ...others, ...(light ? [light] : []), ...(lastResort ? [lastResort] : [])];
  return {
    main,
    light: light ?? main,
    ...omitUndefined({ lastResort }),
    byName: new Map(all.map((model) => [model.name, model])),
  };
}

/** Replaces each model of a set, for example by one with tracing. Names must stay. */
export function mapModels(
  { main, light, lastResort, byName }: ModelSet,
  change: (model: RunModel) => RunModel,
): ModelSet {
  const changed = new Map([...byName].map(([name, model]) => [name, change(model)]));
  const find = (model: RunModel) => changed.get(model.name) ?? change(model);
  return {
    main: find(main),
    light: find(light),
    ...(lastResort ? { lastResort: find(lastResort) } : {}),
    byName: changed,
  };
}

/**
 * Finds a model by its name, or by the part after the provider if it is the only one. Returns
 * undefined for an unknown name.
 */
export function findModelName(names: Iterable<string>, wanted: string): string | undefined {
  const all = [...names];
  const exact = all.find((name) => name === wanted);
  if (exact !== undefined) return exact;
  const [first, ...more] = all.filter((name) => name.endsWith(`/${wanted}`));
  return more.length === 0 ? first : undefined;
}

type ReplacedModel = Extract<LogLine, { kind: "model_replaced" }>;

export interface ModelChoice {
  readonly model: RunModel;
  /** Set if it is not the model that was wanted. */
  readonly replaced?: Pick<ReplacedModel, "wanted" | "why">;
}

/**
 * Chooses the model of a call. A model that is no longer configured is replaced by the main one, and
 * one that seems to be unavailable by the last resort.
 */
export function chooseModel(
  { main, lastResort, byName }: ModelSet,
  wanted: string,
  isDown: (name: string) => boolean,
): ModelChoice {
  const model = byName.get(wanted) ?? main;
  if (
    lastResort &&
    lastResort.name !== model.name &&
    isDown(model.name) &&
    !isDown(lastResort.name)
  )
    return { model: lastResort, replaced: { wanted: model.name, why: "unavailable" } };
  return model.name === wanted ? { model } : { model, replaced: { wanted, why: "not_configured" } };
}
