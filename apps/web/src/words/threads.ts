export const threadsWords = {
  about: "Your messages and Bron's answers, newest conversations first.",
  list: "Conversations",
  none: "No conversations yet",
  noneHint: "Give Bron a task to start one.",
  missing: "Conversation not found",
  tasks: (count: number) => (count === 1 ? "1 task" : `${count} tasks`),
  /** Before a time: "Active 2 hours ago". */
  active: "Active",
  rename: "Rename",
  renameOf: (title: string) => `Rename: ${title}`,
  renameTitle: "Rename conversation",
  name: "Name",
  export: "Export",
  exportOf: (title: string) => `Export: ${title}`,
  exportHint: "Download all tasks of this conversation: logs, approvals and files (.zip)",
  delete: "Delete",
  deleteOf: (title: string) => `Delete: ${title}`,
  deleteTitle: "Delete this conversation?",
  deleteHint: (title: string, tasks: string) =>
    `“${title}” will be deleted for good, with its ${tasks}, messages and files. What Bron sent or changed stays as it is, and the activity log is kept.`,
  deleteYes: "Delete conversation",
  deleted: (title: string) => `Deleted “${title}”.`,
  notDeleted: "This conversation wasn't deleted.",
  /** On the page of a conversation. */
  menu: "More actions",
  messages: "Tasks in this conversation",
  showEarlier: "Show earlier tasks",
} as const;
