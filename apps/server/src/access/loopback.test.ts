import { expect, it } from "vitest";
import { refuseBeyondLoopback } from "./loopback.ts";

it("accepts only loopback addresses", () => {
  for (const host of ["127.0.0.1", "127.8.8.8", "::1", "0:0:0:0:0:0:0:1", "localhost"])
    expect(() => refuseBeyondLoopback(host), host).not.toThrow();
  for (const host of [
    "0.0.0.0",
    "::",
    "192.168.1.2",
    "example.com",
    "localhost.example.com",
    "127.0.0.1.example.com",
    "",
    "::ffff:127.0.0.1",
    "fe80::1%lo",
  ]) {
    expect(() => refuseBeyondLoopback(host), host).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  }
});
