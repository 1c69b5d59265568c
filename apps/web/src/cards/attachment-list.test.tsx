import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AttachmentList } from "./attachment-list.tsx";
import { recipientsOf } from "./prepared-mail.ts";

const file = { filename: "invoice\u202Efdp.exe", sizeBytes: 2_048, digest: "sha256:aa" };

describe("the attachments and recipients of an email", () => {
  it("X1 X3 downloads from the task's files by digest, under the name that is shown", () => {
    const page = renderToStaticMarkup(
      <AttachmentList attachments={[file]} artifactDigests={new Set(["sha256:aa"])} />,
    );
    expect(page).toContain('href="/api/artifacts/sha256%3Aaa" download="invoice\\u{202e}fdp.exe"');
    expect(page).toContain("2 KB");
    expect(page).not.toContain("target=");
  });

  it("X1 has no link if the file is not in the task", () => {
    expect(
      renderToStaticMarkup(<AttachmentList attachments={[file]} artifactDigests={new Set()} />),
    ).not.toContain("<a");
    expect(
      renderToStaticMarkup(<AttachmentList attachments={[]} artifactDigests={new Set()} />),
    ).toBe("None");
  });

  it("BR2 names every recipient of an email or event, and the address of a page", () => {
    const mail = {
      account: "a@x.example",
      from: "a@x.example",
      replyTo: [],
      to: ["b@x.example"],
      cc: ["c@x.example"],
      bcc: ["d@x.example"],
      subject: "",
      bodyText: "",
      attachments: [],
      raw: "",
    };
    expect(recipientsOf(mail)).toEqual(["b@x.example", "c@x.example", "d@x.example"]);
    expect(recipientsOf({ guests: ["e@x.example"], event: {} })).toEqual(["e@x.example"]);
    expect(recipientsOf({ url: "https://x.example/" })).toEqual(["https://x.example/"]);
    expect(recipientsOf(null)).toEqual([]);
  });
});
