import {
  localServerIds,
  openaiModelListSchema,
  type LocalServer,
  type LocalServerId,
} from "@bron/protocol";

/** The port of each model server on this machine. */
export type LocalPorts = Readonly<Partial<Record<LocalServerId, number>>>;

/** Their usual ports. */
const usualLocalPorts: LocalPorts = { ollama: 11_434, lmstudio: 1_234, llamacpp: 8_080 };

const timeoutMs = 800;
const maxBytes = 1_000_000;
const maxModels = 50;

/** What one of our requests can name, and no more. */
const modelName = /^[\w.:/@+-]{1,200}$/;

/** Looks for model servers on the loopback interface. Servers that do not respond are left out. */
export async function findLocalModels(ports: LocalPorts = usualLocalPorts): Promise<LocalServer[]> {
  const found = localServerIds.map(async (id) => {
    const port = ports[id];
    return port === undefined ? undefined : await probe(id, port);
  });
  return (await Promise.all(found)).filter((server) => server !== undefined);
}

async function probe(id: LocalServerId, port: number): Promise<LocalServer | undefined> {
  const url = `http://127.0.0.1:${port}/v1`;
  try {
    const response = await fetch(`${url}/models`, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const text = await readText(response);
    if (text === undefined) return undefined;
    const { data } = openaiModelListSchema.parse(JSON.parse(text));
    const entries = data ?? [];
    // Port 8080 is anyone's, and llama.cpp says that it is the owner of its models.
    if (id === "llamacpp" && !entries.some((model) => model.owned_by === "llamacpp"))
      return undefined;
    const names = entries.map((model) => model.id).filter((name) => modelName.test(name));
    // Models that only turn text into numbers cannot answer.
    const models = names.filter((name) => !/embed/i.test(name)).slice(0, maxModels);
    return { id, url, models };
  } catch {
    return undefined;
  }
}

/** Undefined for a body that is too long. */
async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
