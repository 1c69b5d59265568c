interface ToolForms {
  /** While the tool runs, and as the tool's name in lists: "Sending an email". */
  readonly doing: string;
  /** After it has finished: "Sent an email". */
  readonly done: string;
  /** After "to": "send an email". */
  readonly todo: string;
}

const forms: Readonly<Record<string, ToolForms>> = {
  gmail_search: {
    doing: "Searching your email",
    done: "Searched your email",
    todo: "search your email",
  },
  gmail_thread_read: {
    doing: "Reading an email thread",
    done: "Read an email thread",
    todo: "read an email thread",
  },
  gmail_message_read: {
    doing: "Reading an email",
    done: "Read an email",
    todo: "read an email",
  },
  gmail_attachment_get: {
    doing: "Downloading an attachment",
    done: "Downloaded an attachment",
    todo: "download an attachment",
  },
  gmail_draft_create: { doing: "Saving a draft", done: "Saved a draft", todo: "save a draft" },
  gmail_draft_update: {
    doing: "Updating a draft",
    done: "Updated a draft",
    todo: "update a draft",
  },
  gmail_draft_send: { doing: "Sending the draft", done: "Sent an email", todo: "send an email" },
  gmail_send: { doing: "Sending an email", done: "Sent an email", todo: "send an email" },
  gmail_reply: {
    doing: "Replying to an email",
    done: "Replied to an email",
    todo: "reply to an email",
  },
  gmail_forward: {
    doing: "Forwarding an email",
    done: "Forwarded an email",
    todo: "forward an email",
  },
  skill_read: { doing: "Reading a skill", done: "Read a skill", todo: "read a skill" },
  plan: { doing: "Planning", done: "Planned", todo: "plan" },
  post_note: { doing: "Posting to a board", done: "Posted to a board", todo: "post to a board" },
  clock: { doing: "Checking the time", done: "Checked the time", todo: "check the time" },
  save_memory: {
    doing: "Saving to memory",
    done: "Saved to memory",
    todo: "save to memory",
  },
  search_memory: {
    doing: "Searching the memory",
    done: "Searched the memory",
    todo: "search the memory",
  },
  notes_write: { doing: "Writing a note", done: "Wrote a note", todo: "write a note" },
  notes_list: { doing: "Listing notes", done: "Listed notes", todo: "list notes" },
  notes_read: { doing: "Reading a note", done: "Read a note", todo: "read a note" },
  emit_ui: { doing: "Showing results", done: "Showed results", todo: "show results" },
  schedule_create: {
    doing: "Proposing a schedule",
    done: "Created a schedule",
    todo: "create a schedule",
  },
  calculator: { doing: "Calculating", done: "Calculated", todo: "calculate" },
  calendar_search: {
    doing: "Checking your calendar",
    done: "Checked your calendar",
    todo: "check your calendar",
  },
  calendar_event_create: { doing: "Adding an event", done: "Added an event", todo: "add an event" },
  calendar_event_update: {
    doing: "Updating an event",
    done: "Updated an event",
    todo: "update an event",
  },
  slack_channels: {
    doing: "Listing Slack channels",
    done: "Listed Slack channels",
    todo: "list Slack channels",
  },
  slack_read: { doing: "Reading Slack", done: "Read Slack", todo: "read Slack" },
  slack_members: {
    doing: "Listing the people in a Slack channel",
    done: "Listed the people in a Slack channel",
    todo: "list the people in a Slack channel",
  },
  slack_post: {
    doing: "Posting to Slack",
    done: "Posted to Slack",
    todo: "post to Slack",
  },
  web_fetch: { doing: "Reading a web page", done: "Read a web page", todo: "read a web page" },
  document_read: {
    doing: "Reading a document",
    done: "Read a document",
    todo: "read a document",
  },
  document_fields: {
    doing: "Extracting fields",
    done: "Extracted fields",
    todo: "extract fields",
  },
  output_read: {
    doing: "Reading a long result",
    done: "Read a long result",
    todo: "read a long result",
  },
  ask_user: { doing: "Asking you", done: "Asked you", todo: "ask you" },
  spawn_bron: { doing: "Starting a subtask", done: "Started a subtask", todo: "start a subtask" },
  await_bron: {
    doing: "Waiting for a subtask",
    done: "Waited for a subtask",
    todo: "wait for a subtask",
  },
};

/** Names for the prefixes of wildcard patterns such as `gmail_*`. */
const groups: Readonly<Record<string, string>> = {
  gmail: "email",
  calendar: "calendar",
  slack: "Slack",
  web: "web",
  document: "document",
};

export interface ToolWords {
  readonly forms: Readonly<Record<string, ToolForms>>;
  readonly groups: Readonly<Record<string, string>>;
  readonly all: string;
  ofGroup(group: string): string;
  startingWith(prefix: string): string;
  /** A tool of an MCP server, by its name there. */
  ofServer(tool: string, server: string): ToolForms;
}

export const toolWords: ToolWords = {
  forms,
  groups,
  all: "All tools",
  ofGroup: (group) => `All ${group} tools`,
  startingWith: (prefix) => `All tools starting with ${prefix}`,
  ofServer: (tool, server) => ({
    doing: `Using ${tool} of ${server}`,
    done: `Used ${tool} of ${server}`,
    todo: `use ${tool} of ${server}`,
  }),
};

const serverTool = /^mcp\/([^/]+)\/(.+)$/;

function formsOf(tool: string, words: ToolWords): ToolForms | undefined {
  const [, server, name] = serverTool.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return words.ofServer(name, server);
  return words.forms[tool];
}

/**
 * "Sending an email", or "All email tools" for a wildcard. An unknown tool is shown by its name.
 */
export function toolLabel(pattern: string, words: ToolWords = toolWords): string {
  if (pattern === "*") return words.all;
  if (pattern.endsWith("*")) {
    const prefix = pattern.slice(0, -1);
    const group = words.groups[prefix.replace(/_$/, "")];
    return group === undefined ? words.startingWith(prefix) : words.ofGroup(group);
  }
  const spaced = pattern.replaceAll("_", " ");
  return formsOf(pattern, words)?.doing ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}

/** "Sent an email" */
export function toolDone(tool: string, words: ToolWords = toolWords): string {
  return formsOf(tool, words)?.done ?? toolLabel(tool, words);
}

/** "send an email" */
export function toolTodo(tool: string, words: ToolWords = toolWords): string {
  return formsOf(tool, words)?.todo ?? toolPhrase(tool, words);
}

/** The label of a tool in the middle of a sentence: "sending an email". */
export function toolPhrase(pattern: string, words: ToolWords = toolWords): string {
  const label = toolLabel(pattern, words);
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** Whether there are words for this tool. The label of another one is made from its name. */
export function isToolWorded(tool: string): boolean {
  return Object.hasOwn(forms, tool);
}
