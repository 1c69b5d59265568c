import { isOwnHost } from "./loopback.ts";

/** By which names browsers may know this server. */
export interface Hosts {
  /** Against DNS rebinding: a page elsewhere can point its own name at this machine, but not name it as we do. */
  isOwn(host: string | undefined): boolean;
  /** Whether a page of this origin is one of ours, asked under this host. */
  isOwnOrigin(origin: string, host: string): boolean;
  /** Where this server was reached by a public name over TLS, cookies travel over TLS alone. */
  isSecure(host: string | undefined): boolean;
}

/** `publicUrl` is the name behind which a proxy stands, if there is one. */
export function createHosts(port: number, publicUrl: URL | undefined): Hosts {
  const isPublic = (host: string | undefined) =>
    publicUrl !== undefined && host?.toLowerCase() === publicUrl.host;
  return {
    isOwn: (host) => isPublic(host) || isOwnHost(host, port),
    isOwnOrigin: (origin, host) =>
      origin.toLowerCase() ===
      (isPublic(host) ? publicUrl?.origin : `http://${host.toLowerCase()}`),
    isSecure: (host) => isPublic(host) && publicUrl?.protocol === "https:",
  };
}
