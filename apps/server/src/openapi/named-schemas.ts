import { z } from "zod";
import {
  actionViewSchema,
  agentRequestSchema,
  agentResponseSchema,
  approvalViewSchema,
  artifactViewSchema,
  auditViewSchema,
  bronViewSchema,
  connectionViewSchema,
  createRunSchema,
  effectViewSchema,
  eventViewSchema,
  permissionsViewSchema,
  problemSchema,
  riskSchema,
  runViewSchema,
} from "@bron/protocol";

/** What stands in many answers has a name; everything else is described where it is. */
export const namedSchemas = z.registry<{ id: string }>();

const named = {
  Run: runViewSchema,
  NewRun: createRunSchema,
  Event: eventViewSchema,
  Action: actionViewSchema,
  Effect: effectViewSchema,
  Approval: approvalViewSchema,
  Risk: riskSchema,
  Artifact: artifactViewSchema,
  Runtime: bronViewSchema,
  Permissions: permissionsViewSchema,
  Connection: connectionViewSchema,
  AuditRow: auditViewSchema,
  AgentRequest: agentRequestSchema,
  AgentResponse: agentResponseSchema,
  Problem: problemSchema,
} as const;

for (const [id, schema] of Object.entries(named)) namedSchemas.add(schema, { id });
