export { documentFiles } from "./document-files.ts";
export { documentTools } from "./tools/document-tools.ts";
export { readForModel } from "./tools/read-for-model.ts";
export { describeIsolation, isolationLevel, type IsolationLevel } from "./isolation/isolation.ts";
export { parseDocument, type ParseInput } from "./parse-document.ts";
export type {
  Attachment,
  DocumentKind,
  Language,
  Page,
  ParsedDocument,
  Table,
} from "./parsed-document.ts";
export type { ParseLimits } from "./limits.ts";
