/** Word lists that the reading of requests uses. Entries are parts of patterns, separated by "|". */

/** Verbs that start a request. */
export const commandWords =
  "do|send|post|publish|share|put|add|set|cc|bcc|invite|tell|ask|remind|e-?mail|mail|write|draft|compose|forward|reply|respond|answer|move|reschedule|schedule|book|plan|create|delete|remove|archive|summari[sz]e|check|find|search|look up|show|list|read|count|make|mark|translate|attach|print|order|pay|cancel|change|rename|update|message|ping|dm|save|note|star|label|copy|pin|mute|block|paint|convert|export|download|upload|unsubscribe|subscribe|upvote|snooze|notify|text|enter|log|tag|assign|repeat|undo|give|get";

/** Starts of a clause that asks the reader of a message for something. */
export const readerWords =
  "(?:give|send|tell|text|message|write|e-?mail|mail|show|get|ask|answer|forward|call|ring|ping|help|join|meet) (?:me|us)(?! (?:tomorrow|tonight|later|today|every|at|on|in)\\b)|update (?:me|us)|remind us|answer by|reply by|check in|order by";

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

/** "and email it to lea tomorrow" */
export const laterDelivery = new RegExp(
  `\\b(?:e-?mail|mail|send|forward|post|share) (?:it|them|that|this)\\b[^,.;]*?\\b(?<time>${anyTime})\\W*$`,
  "iu",
);

/** Words that add nothing to a request, besides the empty words. */
export const fillerWords =
  "change tone style version wording sound sounds start starts starting end ends last lasts long better rather guest guests am i'm like just really maybe quickly quick again still already both anyway actually hmm no oh ok okay yes yeah wait sorry well sure great good nice cool perfect fine awesome ah um ehm hm lately recently currently right exactly kindly cheers ta ur u pls plz thx bit thing things stuff somebody someone anybody anyone himself herself themselves it's i've i'd i'll let's there's who's where's how's got get going go us our yours mine too else way kind sort called named us's set put make let work use using only instead back same s t re";

/** Empty words that say which things are meant. */
export const selectingWords =
  "most least starred important attachment attachments attached pdf pdfs csv xlsx excel spreadsheet spreadsheets sent unread old oldest first without previous upcoming";

/** Words that may say that something must not be done, or not yet. */
export const conditionWords =
  "if|unless|until|when|whenever|once|after|before|except|in case|as (?:soon|long) as|not|never|don't|do not|doesn't|without|only";

/** Words that carry no meaning by themselves. */
export const emptyWords =
  "a an the my our your his her their its this that these those it them me i i'm you we he she they of in on at to for from by with without and or but then also please now just all any some every each one ones out up off into as is are was were be been do does did has have had can could would will should whether if " +
  "last latest newest recent most new first next previous past old there here not no yes about which who what what's when when's where how many much so thanks thank hi hello hey bron " +
  "mail mails email emails e-mail e-mails message messages inbox mailbox thread threads conversation gmail attachment attachments attached file files document documents sheet pdf pdfs csv xlsx excel spreadsheet spreadsheets unread starred important subject body sender " +
  "find search look looks like get fetch locate show list check pull dig retrieve grab take bring give tell read open say says said see want need key fields field data details summary summarise summarize extract draft write compose prepare send sent forward reply respond answer count number came come comes received got arrived wrote written needs everything contains containing having know remind happened discussed page site website " +
  "calendar diary agenda schedule appointments appointment events event meetings meeting busy plans planned today happening coming anything something nothing day plan prepare upcoming";

/**
 * Words that people often mistype or shorten, and what they mean. None is a value that a slot reader
 * gives, such as "send", because those must not be given back as they were typed.
 */
export const shorthands =
  "adn:and appt:appointment appts:appointments cal:calendar calandar:calendar arent:aren't cant:can't couldnt:couldn't didnt:didn't doesnt:doesn't dont:don't havent:haven't emial:email emials:emails hows:how's im:I'm isnt:isn't mtg:meeting mtgs:meetings pls:please plz:please theres:there's tmr:tomorrow tmrw:tomorrow tommorow:tomorrow tommorrow:tomorrow whats:what's whens:when's whos:who's wont:won't wht:what";

/** Words that may have one wrong, missing, additional or swapped letter. */
export const mistypedWords =
  "afternoon appointment appointments attached attachment available battery calendar channel channels conflict conflicts document email emails forward friday inbox invoice invoices latest lunch meeting meetings message messages monday overlapping receive received remind reminder reschedule saturday schedule shipment slack summarise summarize summary sunday thursday today tomorrow total tuesday unread wednesday yesterday";

/** Words that look like mistyped ones, but are not. */
export const otherWords =
  "massage massages melting replay sundry slick slacks mondays fridays invoiced summery";

/** Polite words at the start of a request. */
export const politeWords =
  "please kindly bron now then also next first finally and but so okay ok hi hello hey can could would will you i i'd want need like to me tell let's go ahead";

/** A message that only greets, or asks what this is. */
export const greeting =
  /^(?:(?:hi|hey|hello|yo|howdy|greetings)(?: there| bron| all)?|good (?:morning|afternoon|evening|day)|help(?: me)?|test(?:ing)?|examples?|start|what(?: else)? (?:can|do|could) (?:you|u|i) (?:do|ask)(?: (?:here|for me|you|with (?:you|this)))?|(?:who|what) (?:are|r) (?:you|u)|what('s| is) this|how (?:does (?:this|it) work|are you|do i (?:start|use (?:this|you))))\W*$/i;

/** The answer to a question is no. */
export const refusal = /^\s*(?:no|nope|cancel|stop|never ?mind|forget|leave|don't|do not)\b/i;

/** Nothing is sent anyway if what comes before was not understood. */
export const onlyHeld =
  /^\W*(?:but |and |please )*(?:don't|dont|do not) send(?: it)?(?: yet)?\W*$/i;

/** Words at an approval that ask for no changes, and say nothing else. */
export const noChange =
  /^\W*(?:(?:oh|wait|actually|sorry|please|ok|okay|well|hm+)\W+)*(?=(?:no|nope|don't|dont|don’t|do not|never ?mind|leave|stop|forget|cancel|skip|not|abort|discard)\b)(?:(?:oh|wait|actually|sorry|please|ok|okay|no|nope|thanks|thank you|thx|stop|cancel|abort|skip|forget|leave|discard|never ?mind|don't|dont|don’t|do not|not|send|post|do|add|book|forward|it|that|this|now|yet|any ?more|at all|the|mail|e-?mail|message|event|invitation|meeting|draft|anything|about|i|i've|changed|my|mind|bother|alone|be|for|today|the moment)(?:\W+|$))+$/i;

/** Words at an approval that ask for the form as it is. */
export const asItIs =
  /^\W*(?:(?:ok|okay|yes|no|please|just|then|well|fine|sorry|wait)\W+)*(?:(?:send|post|add|book|keep|leave|save|forward|approve) (?:it|that|this)(?: (?:as it (?:is|was)|like (?:this|that|before)|anyway|now|so))?|as it (?:is|was)|yes|ok|okay|approve)\W*$/i;

/** The words of a reply to an approval that change nothing. All others must be understood. */
export const passedOver =
  "a an the it this that them please pls thanks thank you and also but then just now ok okay oh yes yeah well sorry wait hm hmm actually rather better instead make made change changed set with to for on in at by be is should it's can could would will i i'd like want need bron e-mail email mail message text tone style version wording sound sounds bit little again too as so kindly maybe good great nice cool no let's let do go send post write add put use have update move meeting event start starts starting end ends last lasts long guest guests invite from of";

/** What the user says to stop a task that is under way. */
export const stopWords =
  /^\s*(?:stop|cancel|never ?mind|forget (?:it|that|about)|don't do|do not do)\b/i;
