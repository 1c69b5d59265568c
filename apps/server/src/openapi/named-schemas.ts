import { z } from "zod";
import {
  actionFailureReasonSchema,
  actionViewSchema,
  agentRequestSchema,
  agentResponseSchema,
  approvalViewSchema,
  artifactViewSchema,
  activityViewSchema,
  auditViewSchema,
  bronViewSchema,
  closingReasonSchema,
  connectionViewSchema,
  createRunSchema,
  effectViewSchema,
  eventViewSchema,
  failureReasonSchema,
  permissionsViewSchema,
  policyReasonSchema,
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
  Activity: activityViewSchema,
  AgentRequest: agentRequestSchema,
  AgentResponse: agentResponseSchema,
  Problem: problemSchema,
  ActionFailureReason: actionFailureReasonSchema,
  ClosingReason: closingReasonSchema,
  FailureReason: failureReasonSchema,
  PolicyReason: policyReasonSchema,
} as const;

for (const [id, schema] of Object.entries(named)) namedSchemas.add(schema, { id });
