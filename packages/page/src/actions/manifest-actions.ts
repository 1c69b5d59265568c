import { BronError } from "@bron/core";
import { parse } from "yaml";
import { z } from "zod";
import { parseActionFile, type ActionMetadata } from "./action-file.ts";

const entrySchema = z.union([
  z.string().min(1),
  z.object({ name: z.string().min(1), action: z.string().min(1).optional() }),
]);
const manifestSchema = z.object({ actions: z.array(entrySchema).default([]) });

interface ManifestAction {
  /** The name that the plugin exports. */
  readonly name: string;
  /** Absent for an entry that is only a name. The model does not see such an action. */
  readonly metadata?: ActionMetadata;
}

/**
 * The actions of a `plugin.yaml`. `readFile` gets the paths of `.jay-action` files as the manifest
 * has them. Throws invalid_input for a manifest or a file that cannot be read.
 */
export async function actionsInManifest(
  manifest: string,
  readFile: (path: string) => Promise<string>,
): Promise<readonly ManifestAction[]> {
  const parsed = manifestSchema.safeParse(parseYaml(manifest));
  if (!parsed.success)
    throw new BronError("invalid_input", `plugin.yaml: ${z.prettifyError(parsed.error)}`);
  return await Promise.all(
    parsed.data.actions.map(async (entry): Promise<ManifestAction> => {
      if (typeof entry === "string") return { name: entry };
      const { name, action } = entry;
      if (action === undefined) return { name };
      return { name, metadata: parseActionFile(await readOrExplain(action, readFile), action) };
    }),
  );
}

async function readOrExplain(
  path: string,
  readFile: (path: string) => Promise<string>,
): Promise<string> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new BronError("invalid_input", `plugin.yaml: ${path} cannot be read.`, { cause: error });
  }
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : "";
    throw new BronError("invalid_input", `plugin.yaml: ${reason ?? ""}`, { cause: error });
  }
}
