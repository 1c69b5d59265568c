import type { Client } from "@bron/client";

/** To whom the models of these tests write. */
const recipients = ["eva@elsewhere.example", "jonas@lindqvist.example"];

/**
 * Lets drafts to these recipients be written without asking. The tasks ask for a draft, but do not
 * name the recipient.
 */
export async function grantDrafts(client: Client): Promise<void> {
  for (const recipient of recipients)
    await client.call("POST /api/permissions/grants", {
      body: { tool: "gmail_draft_create", recipient, includesPrivate: true, days: 1 },
    });
}
