import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A model server with OpenAI's API, as Ollama has it. It answers every request with "OK". */
export async function startLocalModel(model: string): Promise<{ readonly port: number }> {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url === "/v1/models")
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ object: "list", data: [{ id: model, object: "model" }] }));
      if (request.url !== "/v1/chat/completions") return response.writeHead(404).end();
      return response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(
          `${chunk({ role: "assistant", content: "OK" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}
