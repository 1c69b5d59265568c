import { BronError, type RunModel } from "@bron/core";

function refuse(): never {
  throw new BronError("internal", "This command works without a model");
}

/** For commands that look or leave the work to others: they must not fail over a model that they never ask. */
export const noModel: RunModel = {
  name: "none",
  maxOutputTokens: 1,
  model: {
    specificationVersion: "v4",
    provider: "none",
    modelId: "none",
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  },
};
