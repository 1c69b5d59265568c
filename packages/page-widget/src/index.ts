export { defineBronChat, type BronChatElement } from "./bron-chat.ts";
export type { SiteTool } from "./tools/site-tools.ts";
export type { ChatState } from "./ui/chat-controller.ts";
export { defaultTexts, type Texts } from "./ui/texts.ts";
