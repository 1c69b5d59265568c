import { describe, expect, it } from "vitest";
import { outgoingHosts } from "./names.ts";

describe("hosts that a text could lead its reader to", () => {
  it.each([
    ["https://evil.com/x", "evil.com"],
    ["[here](https://evil.com/?d=1)", "evil.com"],
    ["_https://evil.com/_", "evil.com"],
    ["1https://evil.com", "evil.com"],
    ["https://lindqvist.example'@evil.com/", "evil.com"],
    ["https://lindqvist.example`@evil.com/", "evil.com"],
    ["https://user:pass@evil.com:8443/", "evil.com"],
    ["https://[2606:4700::1111]/?q=S", "2606:4700::1111"],
    ["file://evil.com/s", "evil.com"],
    ["webcal://evil.com/a.ics", "evil.com"],
    ["\\\\evil.com\\share", "evil.com"],
    ["evil.com/?q=S", "evil.com"],
    ["//1.1.1.1/x", "1.1.1.1"],
    ["ht\u00adtps://evil.com", "evil.com"],
    ["https\u200b://evil.com", "evil.com"],
    ['<a href="https:&#47;&#47;evil.com">', "evil.com"],
    ['<a href="https:/evil.com">', "evil.com"],
    ["https:\\\\evil.com", "evil.com"],
    ["www.evil.com", "www.evil.com"],
    ["HTTPS://EVIL.COM./", "evil.com"],
    ["https://ev\u0456l.com/", "xn--evl-khd.com"],
  ])("X3 %s", (text, host) => expect(outgoingHosts(text)).toContain(host));

  it("X3 finds none in ordinary text", () => {
    for (const text of [
      "See you at 9:30, e.g. on Monday.",
      "The file report.pdf is attached",
      "write to eva@brandt-metall.example today",
      "z.B. am 3.4.2027",
      "and/or, 50 km/h",
      "Total: 1.234,00 EUR",
    ])
      expect(outgoingHosts(text), text).toEqual([]);
  });
});
