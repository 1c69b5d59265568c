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

/** "PDF" instead of "application/pdf". An unknown type is shown as it is. */
export function fileType(mimeType: string): string {
  return names[mimeType.toLowerCase()] ?? mimeType;
}
