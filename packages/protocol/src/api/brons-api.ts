import { z } from "zod";
import { maxSummaryBytes } from "../memory.ts";
import { runViewSchema } from "../run.ts";
import { skillNameSchema } from "../skill.ts";
import { trustLevelSchema } from "../trust.ts";
import { emptyBodySchema, endpoints, pageOf } from "./endpoint.ts";
import { listRunsSchema } from "./runs-api.ts";
import { cardLineSchema } from "../cards.ts";

/** A Bron is `idle` when it had no run in the last day. */
export const bronStatuses = [
  "idle",
  "running",
  "needs_approval",
  "needs_auth",
  "completed",
  "failed",
  "canceled",
] as const;
export type BronStatus = (typeof bronStatuses)[number];

/** Who wrote a persona: the owner, Bron's template, or the author of an imported file. */
const personaSources = ["typed", "template", "imported"] as const;
export type PersonaSource = (typeof personaSources)[number];

const color = z.string().regex(/^#[0-9a-f]{6}$/, "must be a color such as #3b6ef5");

export const bronViewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  avatarColor: z.string(),
  /** The Bron's persona: how it should speak and behave. */
  systemPrompt: z.string(),
  /**
   * Who wrote the persona. Only one that the owner `typed` asks for anything. An `imported` one is text
   * of others. An update with `systemPrompt`, also with the same text, makes it `typed`.
   */
  personaSource: z.enum(personaSources),
  /** What the Bron remembers about the owner, as one text. An upkeep run renews it. */
  memorySummary: z.string(),
  /** The summary before the last update. Null if there is nothing to undo. */
  memoryBefore: z.string().nullable(),
  memoryUpdatedAt: z.iso.datetime().nullable(),
  /** False: the Bron neither saves nor uses what is remembered. */
  memoryOn: z.boolean(),
  trustLevel: trustLevelSchema,
  /** The names of its tools. Null: all tools, also those that are added later. */
  tools: z.array(z.string()).readonly().nullable(),
  /** The name of its model. Null: the default model. */
  model: z.string().nullable(),
  /** The names of its skills. Null: all accepted skills, also those that are added later. */
  skills: z.array(z.string()).readonly().nullable(),
  /** The most that one of its tasks may cost, with its subtasks. Null: no limit of its own. */
  maxCostMicrousd: z.number().int().nullable(),
  isDefault: z.boolean(),
  /** Since when it is archived: it takes no new tasks and is no longer offered. */
  archivedAt: z.iso.datetime().nullable(),
  status: z.enum(bronStatuses),
  latestRun: z
    .object({
      id: z.uuid(),
      title: z.string(),
      status: runViewSchema.shape.status,
      notDone: runViewSchema.shape.notDone,
      outcome: runViewSchema.shape.outcome,
      waitsFor: runViewSchema.shape.waitsFor,
    })
    .nullable(),
  /** The last card of the latest run, in one line. */
  latestCard: cardLineSchema.nullable(),
  /** The number of pending approvals of its runs. */
  pendingApprovals: z.number().int(),
  lastActivityAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
});
export type BronView = Readonly<z.infer<typeof bronViewSchema>>;

const editableFields = {
  name: z.string().trim().min(1).max(80),
  avatarColor: color,
  systemPrompt: z.string().max(20_000),
  memorySummary: z.string().max(maxSummaryBytes),
  memoryOn: z.boolean(),
  trustLevel: trustLevelSchema,
  tools: z.array(z.string().min(1).max(200)).max(1_000).nullable(),
  model: z.string().trim().min(1).max(200).nullable(),
  skills: z.array(skillNameSchema).max(1_000).nullable(),
  maxCostMicrousd: z.number().int().nonnegative().nullable(),
};
const newBronSchema = z.strictObject({
  /** Required without a template. */
  name: editableFields.name.optional(),
  avatarColor: color.optional(),
  systemPrompt: editableFields.systemPrompt.optional(),
  trustLevel: trustLevelSchema.optional(),
  /** The id of a template. It supplies what is not given, and the tools. */
  template: z.string().min(1).max(80).optional(),
});
const changedBronSchema = z.strictObject(editableFields).partial();
export type NewBron = z.input<typeof newBronSchema>;
export type ChangedBron = z.input<typeof changedBronSchema>;

/** A ready-made Bron. */
const bronTemplateSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What it is for, in one sentence. */
  about: z.string(),
  systemPrompt: z.string(),
  tools: z.array(z.string()).readonly(),
});
export type BronTemplate = Readonly<z.infer<typeof bronTemplateSchema>>;

/** A Bron as a file: what another installation needs to have the same one. It has no memory. */
export const bronExportSchema = z.strictObject({
  format: z.literal("bron-export-1"),
  name: editableFields.name,
  avatarColor: color,
  systemPrompt: editableFields.systemPrompt,
  trustLevel: trustLevelSchema,
  tools: editableFields.tools,
  model: editableFields.model,
  /** Absent in files of earlier versions: all skills. */
  skills: editableFields.skills.optional(),
});
export type BronExport = Readonly<z.infer<typeof bronExportSchema>>;

const importSchema = z.strictObject({
  bron: bronExportSchema,
  /** Without it, the new Bron is supervised, whatever the file says. */
  keepTrustLevel: z.boolean().optional(),
});

/** A tool as it is shown in lists. */
const toolViewSchema = z.object({
  name: z.string(),
  description: z.string(),
  sideEffect: z.boolean(),
  group: z.string(),
});
export type ToolView = Readonly<z.infer<typeof toolViewSchema>>;

const modelRoles = ["main", "light", "last_resort"] as const;
const microusd = z.number().int();

/** A model that tasks and Brons can use. */
const modelViewSchema = z.object({
  name: z.string(),
  /**
   * What it is used for if nothing else was chosen: `main` for the steps of tasks, `light` for what
   * Bron itself asks a model, `last_resort` while the chosen model is unavailable.
   */
  roles: z.array(z.enum(modelRoles)).readonly(),
  /** The most input tokens of one call. Null if it is unknown. */
  contextTokens: z.number().int().nullable(),
  /** In millionths of a US dollar for a million tokens. Null if it is unknown. */
  price: z.object({ input: microusd, cachedInput: microusd, output: microusd }).nullable(),
  acceptsImages: z.boolean(),
});
export type ModelView = Readonly<z.infer<typeof modelViewSchema>>;

export const bronsApi = endpoints({
  "GET /api/brons": {
    summary: "List Brons with their current status, most recent first.",
    tag: "Brons",
    scope: "read",
    query: z.object({
      status: z.enum(bronStatuses).optional(),
      /** By default, archived Brons are left out. `only` lists no others. */
      archived: z.enum(["include", "only"]).optional(),
    }),
    response: z.object({ brons: z.array(bronViewSchema) }),
  },
  "POST /api/brons": {
    summary: "Create a Bron.",
    tag: "Brons",
    scope: "manage",
    body: newBronSchema,
    status: 201,
    response: bronViewSchema,
  },
  "GET /api/brons/:id": {
    summary: "Get a Bron.",
    tag: "Brons",
    scope: "read",
    response: bronViewSchema,
  },
  "PATCH /api/brons/:id": {
    summary:
      "Update name, color, persona, memory summary, trust level, tools, skills or model, or switch memory on or off.",
    tag: "Brons",
    scope: "manage",
    body: changedBronSchema,
    response: bronViewSchema,
  },
  "POST /api/brons/:id/memory/undo": {
    summary: "Undo the last update of the memory summary.",
    tag: "Brons",
    scope: "manage",
    alsoScope: "speak",
    body: emptyBodySchema,
    response: bronViewSchema,
  },
  "POST /api/brons/:id/duplicate": {
    summary: "Create a Bron with the same persona, tools, skills, model and trust level.",
    tag: "Brons",
    scope: "manage",
    body: emptyBodySchema,
    status: 201,
    response: bronViewSchema,
  },
  "POST /api/brons/:id/archive": {
    summary: "Archive a Bron. Its tasks stay, and those under way go on.",
    tag: "Brons",
    scope: "manage",
    body: emptyBodySchema,
    response: bronViewSchema,
  },
  "POST /api/brons/:id/restore": {
    summary: "Restore an archived Bron.",
    tag: "Brons",
    scope: "manage",
    body: emptyBodySchema,
    response: bronViewSchema,
  },
  "GET /api/brons/:id/export": {
    summary: "Export a Bron as a file, without its memory.",
    tag: "Brons",
    scope: "read",
    response: bronExportSchema,
  },
  "POST /api/brons/import": {
    summary: "Create a Bron from an exported file.",
    tag: "Brons",
    scope: "manage",
    body: importSchema,
    status: 201,
    response: z.object({
      bron: bronViewSchema,
      /** What the file names and this installation does not have. */
      missing: z.object({ tools: z.array(z.string()), model: z.string().nullable() }),
    }),
  },
  "GET /api/bron-templates": {
    summary: "List the templates for new Brons.",
    tag: "Brons",
    scope: "read",
    response: z.object({ templates: z.array(bronTemplateSchema) }),
  },
  "GET /api/brons/:id/runs": {
    summary: "List a Bron's runs, newest first.",
    tag: "Brons",
    scope: "read",
    query: listRunsSchema.omit({ bronId: true }),
    response: pageOf("runs", runViewSchema, z.uuid()),
  },
  "GET /api/tools": {
    summary: "List the tools that runs can use.",
    tag: "Brons",
    scope: "read",
    response: z.object({ tools: z.array(toolViewSchema) }),
  },
  "GET /api/models": {
    summary: "List the models that tasks and Brons can use.",
    tag: "Brons",
    scope: "read",
    response: z.object({ models: z.array(modelViewSchema) }),
  },
});
