import type { ModelSet, RunModel } from "@bron/core";
import type { ModelView } from "@bron/protocol";

/** The models of a set as they are shown in lists, the main one first. */
export function modelViews({ main, light, lastResort, byName }: ModelSet): ModelView[] {
  const roles: readonly (readonly [ModelView["roles"][number], RunModel | undefined])[] = [
    ["main", main],
    ["light", light],
    ["last_resort", lastResort],
  ];
  return [...byName.values()].map(({ name, contextTokens = null, price, accepts = [] }) => ({
    name,
    roles: roles.flatMap(([role, model]) => (model?.name === name ? [role] : [])),
    contextTokens,
    price: price
      ? {
          input: price.inputMicrousdPerMillion,
          cachedInput: price.cachedInputMicrousdPerMillion ?? price.inputMicrousdPerMillion,
          output: price.outputMicrousdPerMillion,
        }
      : null,
    acceptsImages: accepts.some((mediaType) => mediaType.startsWith("image/")),
  }));
}
