import { BronError } from "@bron/core";
import type { AboutView, ApiResponse } from "@bron/protocol";
import type { Runtime } from "../runtime.ts";
import type { AccessKeys } from "./access-services.ts";
import { approvalServices } from "./approval-services.ts";
import { bronServices } from "./bron-services.ts";
import { clientActionServices } from "./client-action-services.ts";
import { ownerServices } from "./owner-services.ts";
import { permissionServices } from "./permission-services.ts";
import { questionServices } from "./question-services.ts";
import { runServices } from "./run-services.ts";
import { sandboxServices, type Sandbox } from "./sandbox-services.ts";
import type { Created, ServiceRequest, ServicesOf } from "./service.ts";
import { threadServices } from "./thread-services.ts";

/** The parts of the runtime that the services use. */
export type ServedRuntime = Pick<
  Runtime,
  | "approvals"
  | "artifacts"
  | "audit"
  | "brons"
  | "clientActions"
  | "connections"
  | "effects"
  | "modelKeys"
  | "permissions"
  | "questions"
  | "runs"
  | "threads"
  | "tools"
  | "uploads"
  | "usage"
  | "workers"
>;

export interface ServicesDeps {
  readonly runtime: ServedRuntime;
  readonly about: AboutView;
  readonly sandbox?: Sandbox | undefined;
  /** The owner of the sandbox's accounts. */
  readonly ownerId: string;
}

/** The services of a runtime. Those for sign-in exist only if the runtime has it. */
export type Services = ReturnType<typeof createServices> & Partial<ServicesOf<AccessKeys>>;
export type ServiceKey = keyof Services;

/**
 * Everything that a door can ask for, keyed by endpoint. HTTP routes are generated from it, and
 * programs in the same process call it directly. What only makes sense over HTTP (cookies,
 * redirects, downloads, streams) stays with the server.
 */
export function createServices({ runtime, about, sandbox, ownerId }: ServicesDeps) {
  return {
    ...runServices(runtime),
    ...threadServices(runtime),
    ...approvalServices(runtime),
    ...questionServices(runtime),
    ...clientActionServices(runtime),
    ...bronServices(runtime),
    ...permissionServices(runtime),
    ...ownerServices({ runtime, about }),
    ...sandboxServices({ sandbox, ownerId }),
  };
}

/** Calls the service of an endpoint that is only known at run time. Throws not_found without one. */
export async function callService<K extends ServiceKey>(
  services: Services,
  key: K,
  request: ServiceRequest<K>,
): Promise<ApiResponse<K> | Created<ApiResponse<K>>> {
  const service = services[key] as
    | ((request: ServiceRequest<K>) => Promise<ApiResponse<K> | Created<ApiResponse<K>>>)
    | undefined;
  if (!service) throw new BronError("not_found", `This runtime has no ${key}.`);
  return await service(request);
}
