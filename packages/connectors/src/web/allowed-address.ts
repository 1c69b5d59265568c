import { BlockList, isIP } from "node:net";

/** Addresses outside the public internet: this machine, its networks, and special ranges. */
const blocked = new BlockList();

const blockedIpv4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local, and the metadata services of clouds
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/**
 * The public IPv6 internet is 2000::/3. These ranges within it are special or embed an IPv4
 * address.
 */
const blockedIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

for (const range of blockedIpv4) add(range, "ipv4");
for (const range of blockedIpv6) add(range, "ipv6");

const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

function add(range: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits = ""] = range.split("/");
  blocked.addSubnet(address, Number(bits), family);
}

/** Whether an address, in any notation, is reachable from the public internet. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 4) return !blocked.check(bare, "ipv4");
  // IPv4 addresses embedded in IPv6 (::ffff:, 64:ff9b::) lie outside 2000::/3.
  return family === 6 && publicIpv6.check(bare, "ipv6") && !blocked.check(bare, "ipv6");
}
