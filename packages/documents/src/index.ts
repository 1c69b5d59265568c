export { documentFiles } from "./document-files.ts";
export { documentTools } from "./tools/document-tools.ts";
export { previewFile } from "./preview-file.ts";
export { readForModel } from "./tools/read-for-model.ts";
export { describeIsolation, isolationLevel } from "./isolation/isolation.ts";
