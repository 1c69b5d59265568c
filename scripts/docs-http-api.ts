// Generates docs/http-api.md from the table of endpoints in packages/protocol/src/api.
import {
  actionFailureReasonSchema,
  actionStates,
  actionViewSchema,
  agentRequestSchema,
  agentResponseSchema,
  api,
  approvalStates,
  approvalViewSchema,
  artifactViewSchema,
  attachedContextSchema,
  auditFilters,
  auditViewSchema,
  auditKinds,
  bronViewSchema,
  capsSchema,
  closingReasonSchema,
  connectionViewSchema,
  createRunSchema,
  defaultRates,
  demoViewSchema,
  effectStates,
  effectViewSchema,
  errorCodes,
  eventViewSchema,
  failureReasonSchema,
  origins,
  permissionsViewSchema,
  policyReasonSchema,
  problemSchema,
  riskSchema,
  runStates,
  runViewSchema,
  type ApiKey,
  type Endpoint,
  type ErrorCode,
} from "@bron/protocol";
import { z } from "zod";
import {
  bodyText,
  enumText,
  readNotes,
  resultNotes,
  typeText,
  type Direction,
} from "./docs-schema.ts";

interface NamedType {
  readonly schema: z.ZodType;
  /** The file in packages/protocol/src and the constant in it whose comments describe the type. */
  readonly file: string;
  readonly constant: string;
  readonly direction?: Direction;
}

const reasons: Readonly<Record<string, NamedType>> = {
  ActionFailureReason: {
    schema: actionFailureReasonSchema,
    file: "action-failure.ts",
    constant: "actionFailureReasonSchema",
  },
  ClosingReason: {
    schema: closingReasonSchema,
    file: "closing-reason.ts",
    constant: "closingReasonSchema",
  },
  FailureReason: {
    schema: failureReasonSchema,
    file: "failure.ts",
    constant: "failureReasonSchema",
  },
  PolicyReason: {
    schema: policyReasonSchema,
    file: "policy-reason.ts",
    constant: "policyReasonSchema",
  },
};

/** Unions of codes with values, by which clients make their own sentences. */
export const reasonSchemas = Object.entries(reasons).map(([id, { schema }]) => ({ id, schema }));

const named: Readonly<Record<string, NamedType>> = {
  ...reasons,
  Action: { schema: actionViewSchema, file: "run.ts", constant: "actionViewSchema" },
  AgentRequest: {
    schema: agentRequestSchema,
    file: "api/agent-api.ts",
    constant: "agentRequestSchema",
    direction: "input",
  },
  AgentResponse: {
    schema: agentResponseSchema,
    file: "api/agent-api.ts",
    constant: "agentResponseSchema",
  },
  Approval: { schema: approvalViewSchema, file: "run.ts", constant: "approvalViewSchema" },
  Artifact: { schema: artifactViewSchema, file: "run.ts", constant: "artifactViewSchema" },
  AttachedContext: {
    schema: attachedContextSchema,
    file: "run.ts",
    constant: "attachedContextSchema",
  },
  AuditRow: { schema: auditViewSchema, file: "audit.ts", constant: "auditViewSchema" },
  Bron: { schema: bronViewSchema, file: "api/brons-api.ts", constant: "bronViewSchema" },
  Caps: { schema: capsSchema, file: "caps.ts", constant: "capsSchema" },
  Connection: { schema: connectionViewSchema, file: "run.ts", constant: "connectionViewSchema" },
  Demo: { schema: demoViewSchema, file: "demo.ts", constant: "demoViewSchema" },
  Effect: { schema: effectViewSchema, file: "run.ts", constant: "effectViewSchema" },
  NewRun: {
    schema: createRunSchema,
    file: "run.ts",
    constant: "createRunSchema",
    direction: "input",
  },
  Permissions: {
    schema: permissionsViewSchema,
    file: "trust.ts",
    constant: "permissionsViewSchema",
  },
  Problem: { schema: problemSchema, file: "wire.ts", constant: "problemSchema" },
  Risk: { schema: riskSchema, file: "trust.ts", constant: "riskSchema" },
  Run: { schema: runViewSchema, file: "run.ts", constant: "runViewSchema" },
};

const registry = z.registry<{ id: string }>();
for (const [id, { schema }] of Object.entries(named)) registry.add(schema, { id });
registry.add(eventViewSchema, { id: "Event" });

/** Enumerations that the page refers to by name. Error codes have a separate page. */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  ActionState: actionStates,
  ApprovalState: approvalStates,
  AuditFilter: auditFilters,
  AuditKind: auditKinds,
  EffectState: effectStates,
  Origin: origins,
  RunStatus: runStates,
};

export const enums: ReadonlyMap<string, string> = new Map([
  [JSON.stringify(errorCodes), "ErrorCode"],
  ...Object.entries(enumerations).map(([name, values]) => [JSON.stringify(values), name] as const),
]);

/** Errors of single endpoints that cannot be derived from the table of endpoints. */
const ownErrors: Partial<Record<ApiKey, readonly ErrorCode[]>> = {
  "POST /api/runs": ["too_large", "conflict", "not_found"],
  "POST /api/runs/:id/retry": ["conflict"],
  "POST /api/approvals/:id/approve": ["digest_mismatch", "approval_closed"],
  "POST /api/approvals/:id/deny": ["digest_mismatch", "approval_closed"],
  "POST /api/approvals/:id/edit": ["digest_mismatch", "approval_closed"],
  "POST /api/approvals/:id/reply": ["digest_mismatch", "approval_closed", "too_large"],
  "POST /api/approvals/:id/undo": ["approval_closed"],
  "POST /api/runs/:id/approve-send": ["conflict", "digest_mismatch", "approval_closed"],
  "POST /api/agent/run": ["too_large", "conflict"],
  "POST /api/agent/run/stream": ["too_large", "conflict"],
  "POST /api/effects/:id/settle": ["conflict"],
  "GET /api/demo": ["not_found"],
  "POST /api/demo/faults": ["not_found"],
  "POST /api/demo/faults/clear": ["not_found"],
  "POST /api/demo/reset": ["not_found"],
  "GET /metrics": ["not_found"],
  "POST /api/uploads/token": ["too_large", "upload_quota"],
  "PUT /api/uploads/:id": ["forbidden", "conflict", "too_large", "rate_limited"],
  "POST /api/uploads/complete": ["conflict", "not_found"],
};

export function httpApiPage(): string {
  const entries = Object.entries(api) as [ApiKey, Endpoint][];
  const tags = [...new Set(entries.map(([, { tag }]) => tag))];
  const sections = tags.map((tag) => {
    const own = entries.filter(([, endpoint]) => endpoint.tag === tag);
    return `## ${tag}\n\n${own.map(([key, endpoint]) => section(key, endpoint)).join("\n")}`;
  });
  return `# HTTP API

\`npm run docs\` writes this page from \`packages/protocol/src/api\`. A running server has the same reference at
\`/docs\`, and for programs at \`/openapi.json\`.

- **Signing in.** A browser sends its session cookie. A program sends \`Authorization: Bearer <token>\`; create a token with
  \`bron tokens create\` or \`POST /api/tokens\`. A signed-in browser has every scope. A token has the scopes that it was
  created with. An endpoint with the scope \`open\` needs neither.
- **Requests** are JSON with \`Content-Type: application/json\`, unless the endpoint says otherwise.
- **Errors** are problem details (RFC 9457) with the type [\`Problem\`](#type-problem). [errors.md](errors.md) explains the codes.
  Each endpoint lists the codes that its callers should expect. Any endpoint can also return
  ${codes(everywhere)}.
- **Lists** come in pages. Pass \`next\` as \`before\` (or as \`after\`, where the endpoint has it) to get the next page.
- **Types** are written as in TypeScript. \`uuid\`, \`datetime\` (ISO 8601) and \`date\` are strings. \`?\` marks a member that
  may be missing, and \`=\` is its default. Named types are at the end of this page.

| tag | endpoints |
|---|---|
${tags.map((tag) => `| [${tag}](#${anchor(tag)}) | ${entries.filter(([, endpoint]) => endpoint.tag === tag).length} |`).join("\n")}

${sections.join("\n")}
## Types

${Object.entries(named).map(typeSection).join("\n")}
## Enumerations

\`ErrorCode\` is one of the codes of [errors.md](errors.md).

${Object.entries(enumerations).map(enumSection).join("\n")}`;
}

const everywhere: readonly ErrorCode[] = ["wrong_host", "internal", "database_unreachable"];

function section(key: ApiKey, endpoint: Endpoint): string {
  const { summary, scope, alsoScope, rate, query, body, headers = {} } = endpoint;
  const lines = [
    `- Scope: \`${scope}\`${alsoScope === undefined ? "" : ` and \`${alsoScope}\``}`,
    ...(rate === undefined ? [] : [`- Rate: \`${rate}\`, by default ${rateText(rate)}`]),
    ...(query ? [item("Query", typeText(query, { registry, enums, direction: "input" }))] : []),
    ...Object.entries(headers).map(([name, what]) => `- Header \`${name}\`: ${what}`),
    ...(endpoint.idempotent === true
      ? ["- Header `Idempotency-Key`: a request with the same key returns the same run."]
      : []),
    ...(endpoint.takesBytes === true ? ["- Body: the bytes of the file"] : []),
    ...(body ? [item("Body", typeText(body, { registry, enums, direction: "input" }))] : []),
    ...responses(endpoint),
    ...errors(key, endpoint),
  ];
  return `### \`${key}\`\n\n${summary}\n\n${lines.join("\n")}\n`;
}

function responses({ status = 200, response, also = {} }: Endpoint): string[] {
  const text = (value: Endpoint["response"]) => {
    if (value === "nothing") return "no body";
    return typeof value === "string" ? `\`${value}\`` : typeText(value, { registry, enums });
  };
  return [
    responseItem(`Response ${status}`, text(response)),
    ...Object.entries(also).map(([other, { summary, response: its = response }]) => {
      return responseItem(`Response ${other} (${summary.replace(/\.$/, "")})`, text(its));
    }),
  ];
}

function responseItem(name: string, text: string): string {
  return text === "no body" || text.startsWith("`") ? `- ${name}: ${text}` : item(name, text);
}

/** Names become links. A short type stays on the line and a long one gets a code block. */
function item(name: string, text: string): string {
  if (text === "Event") return `- ${name}: [\`Event\`](events.md)`;
  if (Object.hasOwn(named, text)) return `- ${name}: [\`${text}\`](#type-${text.toLowerCase()})`;
  if (!text.includes("\n")) return `- ${name}: \`${text}\``;
  return `- ${name}:\n\n${block(text, "  ")}\n`;
}

function block(text: string, indent: string): string {
  return ["```ts", ...text.split("\n"), "```"].map((line) => `${indent}${line}`).join("\n");
}

function errors(key: ApiKey, endpoint: Endpoint): string[] {
  const takesInput = endpoint.query !== undefined || endpoint.body !== undefined;
  const isLimited = endpoint.rate !== undefined || endpoint.response === "text/event-stream";
  const found = [
    ...(takesInput ? ["invalid_input" as const] : []),
    ...(endpoint.body ? ["wrong_content_type" as const] : []),
    ...(endpoint.scope === "open" ? [] : ["unauthenticated" as const, "forbidden" as const]),
    ...(key.includes("/:") ? ["not_found" as const] : []),
    ...(isLimited ? ["rate_limited" as const] : []),
    ...(ownErrors[key] ?? []),
  ];
  const unique = [...new Set<ErrorCode>(found)];
  return unique.length === 0 ? [] : [`- Errors: ${codes(unique)}`];
}

function codes(list: readonly ErrorCode[]): string {
  return list.map((code) => `\`${code}\``).join(", ");
}

function rateText(name: keyof typeof defaultRates): string {
  const { perUser, perAddress } = defaultRates[name];
  const limits = [
    ...(perUser > 0 ? [`${perUser} a minute for one owner`] : []),
    ...(perAddress > 0 ? [`${perAddress} a minute from one address`] : []),
  ];
  return limits.join(" and ");
}

function typeSection([name, { schema, file, constant, direction = "output" }]: [
  string,
  NamedType,
]): string {
  const notes = new Map([
    ...readNotes(new URL(`../packages/protocol/src/${file}`, import.meta.url)),
    ...resultNotes("runViewSchema"),
  ]);
  const text = bodyText(schema, { registry, enums, direction, notes, path: constant });
  return `${typeHeading(name)}\n\n${block(text, "")}\n`;
}

function enumSection([name, values]: [string, readonly string[]]): string {
  return `${typeHeading(name)}\n\n${enumText(values)
    .replaceAll(/"(.+?)"/g, "`$1`")
    .replaceAll(" |", ",")}\n`;
}

/** Adds an explicit anchor, because some types have the same name as a tag. */
function typeHeading(name: string): string {
  return `### <a id="type-${name.toLowerCase()}"></a>${name}`;
}

/** The anchor that Markdown hosts derive from a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
