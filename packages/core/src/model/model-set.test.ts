import { describe, expect, it } from "vitest";
import { createModelHealth } from "./model-health.ts";
import { chooseModel, createModelSet, findModelName } from "./model-set.ts";
import type { RunModel } from "../ports/model.ts";

const named = (name: string): RunModel => ({
  name,
  maxOutputTokens: 1,
  model: undefined as unknown as RunModel["model"],
});
const never = () => false;

describe("a set of models", () => {
  const main = named("a/main");
  const lastResort = named("b/last");

  it("serves every role with a single model", () => {
    const models = createModelSet({ main });
    expect(models.light).toBe(main);
    expect(models.lastResort).toBeUndefined();
    expect([...models.byName.keys()]).toEqual(["a/main"]);
  });

  it("finds a model by its name, or by the part after the provider if that is clear", () => {
    const names = ["a/main", "b/last", "c/last"];
    expect(findModelName(names, "a/main")).toBe("a/main");
    expect(findModelName(names, "main")).toBe("a/main");
    expect(findModelName(names, "last")).toBeUndefined();
    expect(findModelName(names, "")).toBeUndefined();
  });

  it("replaces a model that is not configured by the main one", () => {
    const models = createModelSet({ main, lastResort });
    expect(chooseModel(models, "b/last", never)).toEqual({ model: lastResort });
    expect(chooseModel(models, "x/gone", never)).toEqual({
      model: main,
      replaced: { wanted: "x/gone", why: "not_configured" },
    });
  });

  it("uses the last resort while the chosen model is down, unless both are", () => {
    const models = createModelSet({ main, lastResort });
    expect(chooseModel(models, "a/main", (name) => name === "a/main")).toEqual({
      model: lastResort,
      replaced: { wanted: "a/main", why: "unavailable" },
    });
    expect(chooseModel(models, "a/main", () => true)).toEqual({ model: main });
    expect(chooseModel(createModelSet({ main }), "a/main", () => true)).toEqual({ model: main });
  });
});

describe("the health of a model", () => {
  it("is down after four failures in a row, for a minute, and then after each failure", () => {
    let time = 0;
    const health = createModelHealth({ monotonic: () => time });
    for (let failures = 1; failures <= 3; failures++) health.failed("a");
    expect(health.isDown("a")).toBe(false);
    health.worked("a");
    for (let failures = 1; failures <= 4; failures++) health.failed("a");
    expect([health.isDown("a"), health.isDown("b")]).toEqual([true, false]);
    time += 60_000;
    expect(health.isDown("a")).toBe(false);
    health.failed("a");
    expect(health.isDown("a")).toBe(true);
    health.worked("a");
    expect(health.isDown("a")).toBe(false);
  });
});
