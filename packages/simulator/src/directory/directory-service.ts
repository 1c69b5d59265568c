import {
  ben,
  camille,
  dana,
  felix,
  jonas,
  lea,
  mara,
  oskar,
  priya,
  tomasz,
  type Person,
} from "../mailbox/company.ts";
import { json } from "../google/responses.ts";
import type { ServiceResponse, SimulatedService } from "../google/simulated-service.ts";

/** Where the team directory is, which speaks MCP over HTTP. */
export const directoryPath = "/mcp";

interface Entry {
  readonly person: Person;
  readonly role: string;
  readonly phone: string;
  readonly hours: string;
}

const entries: readonly Entry[] = [
  { person: mara, role: "Managing director", phone: "ext. 10", hours: "Mon to Fri, 9 to 17" },
  { person: jonas, role: "Head of workshop", phone: "ext. 21", hours: "Mon to Fri, 7 to 15" },
  { person: priya, role: "Office and people", phone: "ext. 11", hours: "Mon to Thu, 8 to 16" },
  { person: tomasz, role: "Purchasing", phone: "ext. 31", hours: "Mon to Fri, 8 to 16" },
  { person: camille, role: "Sales", phone: "ext. 41", hours: "Tue to Fri, 10 to 18" },
  { person: ben, role: "Finance", phone: "ext. 12", hours: "Mon to Fri, 9 to 15" },
  { person: lea, role: "Marketing", phone: "ext. 42", hours: "Mon to Wed, 9 to 17" },
  { person: oskar, role: "Design engineer", phone: "ext. 22", hours: "Mon to Fri, 9 to 17" },
  { person: dana, role: "Customer service", phone: "ext. 43", hours: "Mon to Sat, 8 to 14" },
  { person: felix, role: "Logistics", phone: "ext. 32", hours: "Mon to Fri, 6 to 14" },
];

const findPerson = {
  name: "find_person",
  title: "Find a person",
  description: "Finds people of the company by a part of their name or role, with phone and hours.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string", description: "A name or a role" } },
    required: ["query"],
  },
  annotations: { readOnlyHint: true },
};

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly query?: unknown } };
}

/** A small MCP server of the made-up company, without sessions. */
export const directoryService: SimulatedService = {
  methodName: (verb) => (verb === "POST" ? "directory.mcp" : undefined),
  accountOf: () => undefined,
  isRead: () => true,
  serve: ({ body }) => Promise.resolve(respond(JSON.parse(body.toString("utf8")) as Message)),
  refuse: () => json(400, { error: "Send one JSON-RPC message." }),
  respondWithFault: (fault) =>
    json("status" in fault ? fault.status : 503, { error: "Unavailable" }),
};

function respond({ id, method, params }: Message): ServiceResponse {
  if (id === undefined) return { status: 202, headers: {}, body: "" };
  const result = resultOf(method, params);
  return json(
    200,
    result
      ? { jsonrpc: "2.0", id, result }
      : { jsonrpc: "2.0", id, error: { code: -32_601, message: "Unknown method" } },
  );
}

function resultOf(method: string | undefined, params: Message["params"]): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "directory", title: "Team directory", version: "1.0.0" },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: [findPerson] };
    case "tools/call":
      return params?.name === findPerson.name ? search(params.arguments?.query) : undefined;
    default:
      return undefined;
  }
}

function search(query: unknown): object {
  const words = String(query).toLowerCase().split(/\s+/).filter(Boolean);
  const people = entries
    .filter(({ person, role }) =>
      words.some((word) => `${person.name} ${role}`.toLowerCase().includes(word)),
    )
    .map(({ person, role, phone, hours }) => ({ name: person.name, role, phone, hours }));
  const structuredContent = { people };
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}
