import { describe, expect, it } from "vitest";
import { isSenderVerified } from "./sender-check.ts";

const eva = "eva@brandt.example";
const isVerified = (results: string, sender = eva) =>
  isSenderVerified(
    { payload: { headers: [{ name: "Authentication-Results", value: results }] } },
    sender,
  );

describe("the sender of an email", () => {
  it.each([
    "mx.example; dmarc=pass",
    "mx.example; dkim=pass header.i=@brandt.example header.s=a header.b=Qx=; spf=pass (mx.example: domain of bounce@mailer.example designates 203.0.113.7 as permitted sender) smtp.mailfrom=bounce@mailer.example; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=brandt.example",
    "mx.example; dmarc=bestguesspass header.from=brandt.example",
    "mx.example;\r\n\tdkim=pass header.i=@brandt.example",
    "mx.example; dkim=pass header.i=@mail.brandt.example",
    "mx.example; dkim=pass header.i=@mailer.example; dkim=pass header.i=@brandt.example",
    "mx.example; spf=pass smtp.mailfrom=bounce+1@brandt.example",
  ])("is verified: %s", (results) => {
    expect(isVerified(results)).toBe(true);
  });

  it.each([
    "",
    "mx.example",
    "mx.example; dkim=fail; dmarc=fail",
    "mx.example; dkim=pass header.i=@brandt.example; dmarc=fail header.from=brandt.example",
    "mx.example; dmarc=pass; dmarc=fail",
    "mx.example; dkim=pass",
    "mx.example; dkim=pass header.i=@evil.example",
    "mx.example; dkim=pass header.i=@notbrandt.example",
    "mx.example; dkim=pass header.i=@brandt.example.evil.example",
    "mx.example; dkim=pass header.i=eva@brandt.example@evil.example",
    "mx.example; dkim=fail header.i=@brandt.example",
    "mx.example; spf=pass smtp.mailfrom=eva@evil.example",
    "mx.example; spf=softfail smtp.mailfrom=eva@brandt.example",
    "mx.example; spf=pass smtp.helo=brandt.example",
    "mx.example; arc=pass header.i=@brandt.example",
    "mx.example; spf=pass (mx.example: domain of dmarc=pass@evil.example designates 203.0.113.7) smtp.mailfrom=dmarc=pass@evil.example; dmarc=fail header.from=brandt.example",
    "mx.example; spf=pass (domain of x@evil.example; dmarc=pass) smtp.mailfrom=x@evil.example",
    'mx.example; spf=pass smtp.mailfrom="x; dmarc=pass "@evil.example',
    'mx.example; spf=pass (domain of ") ; dmarc=pass ("@evil.example) smtp.mailfrom=x@evil.example',
    "mx.example; spf=pass (domain of x) ) dmarc=pass",
    "mx.example; spf=pass (domain of x; dmarc=pass",
  ])("is not verified: %s", (results) => {
    expect(isVerified(results)).toBe(false);
  });
});
