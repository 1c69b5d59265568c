/**
 * Colors and sizes come from variables, which a site may set on `bron-chat`. No filter and no opacity
 * on anything around an approval: a browser would say that the button is not clearly visible.
 */
export const styles = `
:host {
  all: initial;
  display: block;
  color-scheme: light dark;
  --accent: var(--bron-accent, light-dark(#2f5bd7, #8fb0ff));
  --on-accent: var(--bron-on-accent, light-dark(#ffffff, #10131c));
  --ground: var(--bron-ground, light-dark(#ffffff, #1b1d21));
  --raised: var(--bron-raised, light-dark(#f4f2ee, #24272c));
  --edge: var(--bron-edge, light-dark(#dedad2, #3a3e45));
  --ink: var(--bron-ink, light-dark(#1c1b19, #ecebe8));
  --quiet: var(--bron-quiet, light-dark(#625f58, #aeaca6));
  --bubble: var(--bron-bubble, light-dark(#e9eefc, #2a3552));
  --ask: var(--bron-ask, light-dark(#fff7e0, #2c2620));
  --ask-edge: var(--bron-ask-edge, light-dark(#c98f12, #c08a2a));
  --bad: var(--bron-bad, light-dark(#a8201a, #ff9a91));
  --bad-ground: var(--bron-bad-ground, light-dark(#fdeceb, #3a1f1d));
  --radius: var(--bron-radius, 14px);
  --width: var(--bron-width, 384px);
  --height: var(--bron-height, 620px);
  --gap: var(--bron-gap, 20px);
  font: 15px/1.5 var(--bron-font, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
button, textarea, a { font: inherit; color: inherit; }
button { cursor: pointer; }
button:focus-visible, textarea:focus-visible, a:focus-visible, pre:focus-visible, .log:focus-visible, dialog:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
.icon { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; display: block; }
.icon-stop { fill: currentColor; width: 14px; height: 14px; }
.quiet { color: var(--quiet); }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.launcher {
  position: fixed; inset-block-end: var(--gap); inset-inline-end: var(--gap); z-index: 2147483647;
  width: 56px; height: 56px; border: 0; border-radius: 50%;
  background: var(--accent); color: var(--on-accent);
  display: grid; place-items: center; box-shadow: 0 4px 18px rgb(0 0 0 / .25);
}
.launcher:hover { background: color-mix(in oklab, var(--accent), var(--ink) 12%); }
.launcher .icon { width: 26px; height: 26px; }
.launcher[hidden] { display: none; }

.panel {
  position: fixed; inset: auto; inset-block-end: var(--gap); inset-inline-end: var(--gap); margin: 0; padding: 0;
  width: min(var(--width), calc(100vw - 2 * var(--gap)));
  height: min(var(--height), calc(100dvh - 2 * var(--gap)));
  border: 1px solid var(--edge); border-radius: var(--radius);
  background: var(--ground); color: var(--ink);
  box-shadow: 0 12px 40px rgb(0 0 0 / .22);
  overflow: hidden; z-index: 2147483647;
  grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
}
.panel:popover-open, .panel.inline { display: grid; }
.panel.inline { position: static; width: 100%; box-shadow: none; }
.panel.compact { height: auto; max-height: min(var(--height), calc(100dvh - 2 * var(--gap))); grid-template-rows: auto minmax(0, auto) auto auto; }
.panel.compact .head { padding-block: 6px; border-block-end: 0; }
.panel.compact .log { padding-block: 4px 8px; max-height: 260px; }
.panel.compact .log.is-empty { display: none; }
.panel.compact .heading { font-size: 13px; color: var(--quiet); font-weight: 500; }

.head { display: flex; align-items: center; gap: 2px; padding: 10px 10px 10px 16px; padding-inline: 16px 10px; border-block-end: 1px solid var(--edge); }
.heading { flex: 1; min-width: 0; margin: 0; font-size: 15px; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.plain { display: grid; place-items: center; width: 34px; height: 34px; padding: 0; border: 0; border-radius: 8px; background: transparent; color: var(--quiet); }
.plain[hidden] { display: none; }
.plain:hover { background: var(--raised); color: var(--ink); }

.log { overflow: auto; overscroll-behavior: contain; padding: 16px; display: flex; flex-direction: column; gap: 12px; }
.empty { margin: auto; text-align: center; padding: 12px; max-width: 280px; }
.empty strong { display: block; font-size: 18px; margin-block-end: 4px; }
.suggestions { display: flex; flex-direction: column; gap: 8px; margin-block-start: 16px; }
.suggestions button { border: 1px solid var(--edge); background: transparent; border-radius: 10px; padding: 8px 12px; text-align: start; }
.suggestions button:hover { background: var(--raised); }
.message { max-width: 100%; overflow-wrap: anywhere; }
.message.user { align-self: flex-end; max-width: 85%; background: var(--bubble); padding: 8px 12px; border-radius: 14px; border-end-end-radius: 4px; white-space: pre-wrap; }
.message.system { color: var(--quiet); font-size: 13px; }
.message p, .message ul, .message ol, .message pre { margin: 0 0 8px; }
.message > :last-child { margin-block-end: 0; }
.message ul, .message ol { padding-inline-start: 22px; }
.message pre { background: var(--raised); border-radius: 8px; padding: 10px; overflow: auto; }
.message code { font: 13px/1.45 ui-monospace, "SF Mono", Menlo, monospace; background: var(--raised); border-radius: 4px; padding: 1px 4px; }
.message pre code { padding: 0; }
.outcome { display: inline-block; font-size: 12.5px; color: var(--quiet); border: 1px solid var(--edge); border-radius: 999px; padding: 1px 9px; align-self: flex-start; }

.activity { display: flex; align-items: center; gap: 8px; min-height: 30px; color: var(--quiet); font-size: 14px; }
.activity[hidden] { display: none; }
.activity .words { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.dots { display: inline-flex; gap: 4px; }
.dots i { width: 6px; height: 6px; border-radius: 50%; background: var(--quiet); animation: pulse 1.2s infinite ease-in-out; }
.dots i:nth-child(2) { animation-delay: .15s; } .dots i:nth-child(3) { animation-delay: .3s; }
@keyframes pulse { 0%, 80%, 100% { transform: scale(.7); } 40% { transform: scale(1.1); } }
@media (prefers-reduced-motion: reduce) { .dots i { animation: none; } }

.cards { padding-inline: 12px; display: grid; gap: 8px; max-height: 60dvh; overflow: auto; }
.cards:not(:empty) { padding-block: 4px 8px; }
.card { border: 1px solid var(--edge); border-radius: 12px; padding: 12px; background: var(--raised); }
dialog.card { position: static; inset: auto; margin: 0; width: 100%; max-width: none; max-height: none; color: inherit; }
dialog.card:modal { position: fixed; inset: 0; margin: auto; width: min(360px, calc(100vw - 32px)); height: fit-content; max-height: calc(100dvh - 32px); overflow: auto; }
dialog.card::backdrop { background: rgb(0 0 0 / .35); }
.card.ask { background: var(--ask); border-color: var(--ask-edge); }
.card.bad { background: var(--bad-ground); border-color: var(--bad); }
.card h3 { margin: 0 0 4px; font-size: 14px; font-weight: 650; display: flex; gap: 6px; align-items: center; }
.card h3 .icon { width: 17px; height: 17px; flex: none; }
.card p { margin: 0; overflow-wrap: anywhere; }
.card p + p, .card dl { margin-block-start: 6px; }
.what { font-weight: 600; }
.card dl { display: grid; grid-template-columns: minmax(70px, auto) minmax(0, 1fr); gap: 2px 10px; margin-block-end: 0; max-height: 190px; overflow: auto; font-size: 13.5px; }
.card dt { color: var(--quiet); overflow-wrap: anywhere; } .card dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.note { font-size: 13px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 10px; }
.button { border: 1px solid var(--edge); border-radius: 9px; background: var(--ground); padding: 7px 14px; text-decoration: none; font-weight: 550; }
.button:hover { background: var(--raised); }
.button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.main:hover { background: color-mix(in oklab, var(--accent), var(--ink) 12%); }
.button[aria-disabled="true"] { background: var(--raised); border-color: var(--edge); color: var(--quiet); cursor: default; }
.stop-button { display: inline-flex; align-items: center; gap: 6px; border: 1px solid var(--edge); border-radius: 999px; background: var(--ground); padding: 2px 12px 2px 10px; font-size: 13.5px; color: var(--ink); }
.stop-button:hover { background: var(--raised); }

.composer { display: flex; gap: 8px; align-items: flex-end; padding: 10px 12px 12px; border-block-start: 1px solid var(--edge); }
.panel.compact .composer { border-block-start: 0; padding-block-start: 4px; }
.composer textarea { flex: 1; min-width: 0; resize: none; border: 1px solid light-dark(#8b877f, #777c86); border-radius: 12px; background: var(--ground); padding: 8px 12px; max-height: 132px; field-sizing: content; min-height: 40px; line-height: 1.45; }
.composer textarea::placeholder { color: var(--quiet); opacity: 1; }
.composer .send { flex: none; width: 40px; height: 40px; border: 0; border-radius: 50%; background: var(--accent); color: var(--on-accent); display: grid; place-items: center; padding: 0; }
.composer .send[aria-disabled="true"] { background: var(--raised); color: var(--quiet); cursor: default; }

.marker { position: fixed; z-index: 2147483646; border: 3px solid var(--ask-edge); border-radius: 8px; background: transparent; pointer-events: none; box-shadow: 0 0 0 3px rgb(255 255 255 / .7); }

.panel.headless .head, .panel.headless .log, .panel.headless .composer { display: none; }
.panel.headless { height: auto; grid-template-rows: auto; }

@media (max-width: 520px) {
  .panel:not(.inline):not(.compact):not(.headless):not(.asking) { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; }
  /* People want to see the page that they are asked about. */
  .panel.asking:not(.inline) { height: auto; grid-template-rows: auto; }
  .panel.asking:not(.inline) .log, .panel.asking:not(.inline) .composer { display: none; }
  .panel.asking:not(.inline) .cards { padding-block: 8px 12px; }
  .panel.asking:not(.inline), .panel.compact:not(.inline), .panel.headless { inset-inline: 8px; inset-block-end: 8px; width: auto; }
  .launcher { inset-block-end: calc(16px + env(safe-area-inset-bottom)); inset-inline-end: 16px; }
  .composer textarea { font-size: 16px; }
  .composer { padding-block-end: calc(12px + env(safe-area-inset-bottom)); }
}
@media (forced-colors: active) { .launcher, .composer .send, .button.main { border: 1px solid; } }
`;
