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

/** Schemas that several responses use. All others are described inline. */
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
  Bron: bronViewSchema,
  Permissions: permissionsViewSchema,
  Connection: connectionViewSchema,
  AuditRow: auditViewSchema,
  AgentRequest: agentRequestSchema,
  AgentResponse: agentResponseSchema,
  Problem: problemSchema,
} as const;

for (const [id, schema] of Object.entries(named)) namedSchemas.add(schema, { id });
