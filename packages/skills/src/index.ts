export { createSkillReader } from "./create-skill-reader.ts";
export { readSkillFolder } from "./read-skill-folder.ts";
