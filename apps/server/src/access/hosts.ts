import { isOwnHost } from "./loopback.ts";

/** The host names under which browsers may reach this server. */
export interface Hosts {
  /**
   * Protects against DNS rebinding: another site can point its own name at this machine, but cannot
   * use our names.
   */
  isOwn(host: string | undefined): boolean;
  /** Whether the origin is this server itself, as reached under this host. */
  isOwnOrigin(origin: string, host: string): boolean;
  /** Whether the server was reached by its public name over TLS, so that cookies must be secure. */
  isSecure(host: string | undefined): boolean;
}

/** `publicUrl` is the address of a proxy in front of this server, if there is one. */
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
