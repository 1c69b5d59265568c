import { BronError, type RunModel } from "@bron/core";

function refuse(): never {
  throw new BronError("internal", "This command has no model");
}

/**
 * For commands that never call a model, so that a missing or invalid model does not make them fail.
 */
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
