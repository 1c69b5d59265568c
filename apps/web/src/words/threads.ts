export const threadsWords = {
  missing: "Conversation not found",
  tasks: (count: number) => (count === 1 ? "1 task" : `${count} tasks`),
  rename: "Rename",
  renameTitle: "Rename conversation",
  name: "Name",
  export: "Export",
  delete: "Delete",
  deleteTitle: "Delete this conversation?",
  deleteHint: (title: string, tasks: string, isWorking: boolean) =>
    `${isWorking ? "It's still working and will be stopped. " : ""}“${title}” will be deleted for good, with its ${tasks}, messages and files. What Bron sent or changed stays as it is, and the activity log is kept.`,
  deleteYes: "Delete conversation",
  stopAndDelete: "Stop and delete",
  deleted: (title: string) => `Deleted “${title}”.`,
  notDeleted: "This conversation wasn't deleted.",
  /** On the page of a conversation. */
  menu: "More actions",
  messages: "Tasks in this conversation",
  showEarlier: "Show earlier tasks",
} as const;
