/** Word lists that the reading of requests uses. Entries are parts of patterns, separated by "|". */

/** Verbs that start a request. */
export const commandWords =
  "do|send|post|publish|share|put|add|set|cc|bcc|invite|tell|ask|remind|e-?mail|mail|write|draft|compose|forward|reply|respond|answer|move|reschedule|schedule|book|plan|create|delete|remove|archive|summari[sz]e|check|find|search|look up|show|list|read|count|make|mark|translate|attach|print|order|pay|cancel|change|rename|update|message|ping|dm|save|note|star|label|copy|pin|mute|block|paint|convert|export|download|upload|unsubscribe|subscribe|upvote|snooze|notify|text|enter|log|tag|assign|repeat|undo|give|get";

/** Starts of a clause that asks the reader of a message for something. */
export const readerWords =
  "(?:give|send|tell|text|message|write|e-?mail|mail|show|get|ask|answer|forward) (?:me|us)|update (?:me|us)|remind us|answer by|reply by|check in|order by";

/** What belongs to a message, and is no part of its text. */
export const settingWords =
  "b?cc|in copy|(?:with )?(?:the )?subject|as (?:a )?draft|(?:don't|do not|dont) (?:send|write|mention|include|cc)|(?:high|low) priority|urgent(?:ly)?|only as a draft|ready to send|send it|no reply needed|attach(?:ed|ing)?";

/** Starts of a clause that only changes how or when something is done. */
export const modifierWords =
  "do it|do this|do that|do so|with|without|as|to|from|for|in|at|on|by|via|through|not|only|twice|three times|again|later|tonight|tomorrow|today|every|each|next|until|after|before|like|using|unless|if|when|whenever|once|in case|use|instead";

/** Starts of a clause with a subject of its own. */
export const subjectWords =
  "i|i'm|im|i'll|i've|you|you're|he|she|it|it's|its|we|we're|we'll|they|they're|there|that|this|these|those|the|a|an|my|our|your|his|her|their|all|both|nobody|everyone|everybody|somebody|someone|anyone|who|which|so|because|maybe|perhaps|also the|let me|let us|let's|no|yes|one|two|three|four|five|six|seven|eight|nine|ten|\\d+";

/** Ends of a message. */
export const closingWords =
  "thanks|thank you|thx|cheers|sorry|please|regards|best|kind|love|bye|see you|talk|hope|looking forward|ok|okay|great|good|nice|hi|hello|hey|dear|congrat\\w*|happy|welcome";

/** Verbs that show that words are a clause. */
export const verbWords =
  "is|are|was|were|am|be|been|will|won't|can|could|should|would|must|may|might|has|have|had|does|did|needs?|comes?|came|goes|went|arrives?|arrived|left|starts?|started|ends?|closes?|closed|opens?|opened|works?|worked|stays?|means?|takes?|took|gets?|got|leaves?|looks?|sounds?|wants?|said|says";

/** Words that a time belongs to: "is in one hour", "come later". */
export const timedWords =
  "is|are|was|were|be|comes?|coming|arrives?|arriving|starts?|starting|begins?|closes?|opens?|ends?|leaves?|leaving|ready|back|here|there|late|due|over|done|open|closed|happens?|meets?|goes|go|going|call|calls|see|talk|finish|finished|deliver|delivered|ship|need|needed|wait|moved|will|until";

const count =
  "an?|one|two|three|four|five|six|ten|fifteen|twenty|thirty|half an|a few|a couple of|\\d+";
/** Times that count from now. */
export const relativeTimes = `(?:in|after) (?:${count}) ?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?)|(?:but )?(?:a bit )?later(?: today| on)?|(?:every|each) (?:\\p{L}+)`;

const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const clock = "(?:\\d{1,2}(?:[:.]\\d{2})?(?: ?[ap]m| ?o'?clock)?|noon|midnight|midday)";
const time = `${relativeTimes}|tonight|tomorrow|(?:on |by |until )?(?:next |this |coming )?${weekday}|(?:next|this) (?:week(?:end)?|month|year)|(?:in )?(?:the|this) (?:morning|afternoon|evening)|morning|afternoon|evening|(?:at|around|by) ${clock}|daily|weekly|hourly|monthly|at (?:the end|eod)`;
/** One time or several: "tomorrow at 9". */
export const anyTime = `(?:${time})(?:,? (?:${time}))*`;
