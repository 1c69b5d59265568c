import { BlockList, isIP } from "node:net";

/** Everything that is not the public internet: this machine, its networks, and the ways of writing them. */
const closed = new BlockList();

const closed4 = [
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

/** Of IPv6 only 2000::/3 is the public internet; within it, what is special or carries an IPv4 address. */
const closed6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

for (const range of closed4) add(range, "ipv4");
for (const range of closed6) add(range, "ipv6");

const open6 = new BlockList();
open6.addSubnet("2000::", 3, "ipv6");

function add(range: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits = ""] = range.split("/");
  closed.addSubnet(address, Number(bits), family);
}

/** Whether an address, in whatever way it is written, is one that anybody on the internet can reach. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 4) return !closed.check(bare, "ipv4");
  // An IPv4 address in IPv6's clothes (::ffff:, 64:ff9b::) lies outside 2000::/3.
  return family === 6 && open6.check(bare, "ipv6") && !closed.check(bare, "ipv6");
}
