const names: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/zip": "ZIP",
  "application/json": "JSON",
  "application/msword": "Word document",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word document",
  "application/vnd.ms-excel": "Excel spreadsheet",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel spreadsheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint file",
  "text/plain": "Text",
  "text/csv": "CSV",
  "text/html": "HTML",
  "text/calendar": "Calendar file",
  "message/rfc822": "Email",
  "image/png": "PNG image",
  "image/jpeg": "JPEG image",
};

/** "PDF" instead of "application/pdf". Parameters such as the character set do not count. */
export function fileType(mimeType: string): string {
  const [type = ""] = mimeType.toLowerCase().split(";");
  const [kind] = type.split("/");
  return names[type.trim()] ?? kinds[kind ?? ""] ?? "File";
}

const kinds: Readonly<Record<string, string>> = {
  text: "Text",
  image: "Image",
  audio: "Audio",
  video: "Video",
};
