export { allTools } from "./all-tools.ts";
