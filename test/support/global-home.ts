import type { TestProject } from "vitest/node";
import { shareAcrossProjects } from "./share-across-projects.ts";
import { prepareTemplateHome } from "./template-home.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of a home that was started once. `copyTemplateHome` copies it. */
    templateHome: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, release } = await shareAcrossProjects("template home", prepareTemplateHome);
  project.provide("templateHome", value.folder);
  return release;
}
