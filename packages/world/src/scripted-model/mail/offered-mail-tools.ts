import { isObject, type FunctionDeclaration, type JsonObject } from "../wire.ts";

export type MailToolRole = "search" | "message" | "thread" | "attachment" | "document" | "fields" | "draft" | "sendDraft" | "send" | "reply";

/** Both vocabularies; a declaration counts when it takes what this model would give it. */
const known: Readonly<Record<MailToolRole, { readonly names: readonly string[]; readonly takes: readonly string[] }>> = {
  search: { names: ["gmail_search"], takes: ["query"] },
  message: { names: ["gmail_message_read", "gmail_getMessage"], takes: ["messageId"] },
  thread: { names: ["gmail_thread_read"], takes: ["threadId"] },
  attachment: { names: ["gmail_attachment_get", "gmail_getAttachment"], takes: ["messageId"] },
  document: { names: ["document_read"], takes: ["digest"] },
  fields: { names: ["document_fields"], takes: ["fields"] },
  draft: { names: ["gmail_draft_create", "gmail_createDraft"], takes: ["to", "subject", "bodyText"] },
  sendDraft: { names: ["gmail_draft_send", "gmail_sendDraft"], takes: ["draftId"] },
  send: { names: ["gmail_send"], takes: ["to", "subject", "bodyText"] },
  reply: { names: ["gmail_reply"], takes: ["threadId", "bodyText"] },
};

export interface OfferedMailTool {
  readonly name: string;
  /** Only arguments that the tool declares, and its defaults for what it requires beyond them. */
  fit(args: JsonObject): JsonObject;
}

export type OfferedMailTools = Partial<Readonly<Record<MailToolRole, OfferedMailTool>>>;

export function findMailTools(declarations: readonly FunctionDeclaration[]): OfferedMailTools {
  const offered: Partial<Record<MailToolRole, OfferedMailTool>> = {};
  for (const [role, { names, takes }] of Object.entries(known) as [MailToolRole, (typeof known)[MailToolRole]][]) {
    for (const declaration of declarations.filter(({ name }) => names.includes(name))) {
      const schema = declaration.parametersJsonSchema ?? declaration.parameters ?? {};
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      if (takes.every((name) => Object.hasOwn(properties, name))) offered[role] ??= { name: declaration.name, fit: (args) => fitArguments(args, properties, requiredOf(schema)) };
    }
  }
  return offered;
}

/** What a tool for this would be called. */
export function toolName(role: MailToolRole): string {
  return known[role].names[0] ?? role;
}

function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
}

function fitArguments(args: JsonObject, properties: JsonObject, required: readonly string[]): JsonObject {
  const given = Object.entries(args).filter(([name, value]) => value !== undefined && Object.hasOwn(properties, name));
  const missing = required.filter((name) => !given.some(([known]) => known === name)).flatMap((name): [string, unknown][] => {
    const property = properties[name];
    return isObject(property) && property["default"] !== undefined ? [[name, property["default"]]] : [];
  });
  return Object.fromEntries([...given, ...missing]);
}
