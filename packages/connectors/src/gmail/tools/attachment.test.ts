import { defaultCaps } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { createGmailHarness } from "../gmail-harness.fixture.ts";
import { attachmentTool } from "./attachment.ts";

function harnessWith(sizeBytes: number) {
  const harness = createGmailHarness();
  harness.messages.set("m", {
    id: "m",
    payload: {
      parts: [
        {
          filename: "a.pdf",
          mimeType: "application/pdf",
          body: { attachmentId: "1", size: sizeBytes },
        },
      ],
    },
  });
  return {
    harness,
    download: (maxAttachmentBytes: number) =>
      attachmentTool(harness.deps, "attachment").execute(
        { messageId: "m" },
        harness.context({ maxAttachmentBytes }),
      ),
  };
}

describe("downloading an attachment", () => {
  it("BR21 is rejected above 20 MB before its bytes are requested", async () => {
    expect(defaultCaps.attachmentBytes).toBe(20 * 1024 * 1024);
    const { harness, download } = harnessWith(20 * 1024 * 1024 + 1);
    await expect(download(defaultCaps.attachmentBytes)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("too large. The limit is 20 MB."),
    });
    expect(harness.asked).toEqual(["messages.get"]);
  });

  it("BR21 is rejected when it has more bytes than Gmail declared", async () => {
    const { harness, download } = harnessWith(1);
    await expect(download(4)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("too large. The limit is 4 B."),
    });
    expect(harness.asked).toEqual(["messages.get", "attachments.get"]);
  });

  it("BR21 is saved at exactly the limit", async () => {
    expect(await harnessWith(5).download(5)).toMatchObject({ filename: "a.pdf", sizeBytes: 5 });
  });
});
