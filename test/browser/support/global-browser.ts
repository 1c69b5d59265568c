import type { TestProject } from "vitest/node";
import { launchBrowserServer } from "./open-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser that all test files share. Each file opens its own contexts. */
    browserUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchBrowserServer();
  project.provide("browserUrl", server.wsEndpoint());
  return () => server.close();
}
