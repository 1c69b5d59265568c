import type { TaskServerInput } from "./task-server.ts";

/**
 * Responds to one request over streamable HTTP. It keeps no session, so any process can respond to
 * the next one.
 */
export async function handleMcpRequest(
  request: Request,
  body: unknown,
  input: TaskServerInput,
): Promise<Response> {
  const [{ connectTaskServer, checkMessage }, { WebStandardStreamableHTTPServerTransport }] =
    await Promise.all([
      import("./task-server.ts"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    ]);
  checkMessage(body);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = await connectTaskServer(transport, input);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}
