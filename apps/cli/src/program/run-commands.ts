import { Option, type Command } from "commander";
import { statusNames } from "../status-words.ts";
import { examples, idHelp, leaf } from "./leaf.ts";
import {
  dollars,
  fullId,
  integer,
  several,
  status,
  verbose,
  wordsFromStdin,
} from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadRun = () => import("../commands/run.ts");
const loadTalk = () => import("../commands/talk.ts");
const loadLogs = () => import("../commands/logs.ts");
const loadRuns = () => import("../commands/runs.ts");
const loadCancelRun = () => import("../commands/cancel-run.ts");
const loadMoveRun = () => import("../commands/move-run.ts");
const loadCrossOut = () => import("../commands/cross-out.ts");
const loadPutBack = () => import("../commands/put-back.ts");
const loadUndoUnasked = () => import("../commands/undo-unasked.ts");
const loadRestore = () => import("../commands/restore.ts");
const loadSay = () => import("../commands/say.ts");
const loadRetryRun = () => import("../commands/retry-run.ts");
const loadDecideMany = () => import("../commands/decide-many.ts");

export function addRunCommands(program: Command, { run }: Runner): void {
  leaf(program.command("run"), "Run a task and show its progress", runExample)
    .argument("[task...]", "The task (asked for if omitted)")
    .option("--bron <name>", "The Bron that does it (default: the default Bron)")
    .option("--file <path>", "A file to attach (repeatable)", several)
    .option(...wordsFromStdin)
    .option("--title <text>", "Title (default: first line of the task)")
    .option("--thread <id>", "Continue a conversation (bron threads show prints its ID)", fullId)
    .option("--max-dollars <amount>", "Spending limit in US dollars", dollars)
    .option("--model <name>", "One of the configured models (bron models list shows them)")
    .option("--folder <path>", "Run only on this machine, in this folder")
    .option("--detach", "Run in the background and print the ID")
    .option(...verbose)
    .action((words: string[], options) => {
      const task = words.length === 0 ? undefined : words.join(" ");
      return run(loadRun, (commands, context) => commands.runTask(context, task, options));
    });
  addTalkCommand(program, run);
  addLogsCommand(program, run);

  const runs = program
    .command("runs")
    .description("List, show, cancel, move and retry runs")
    .addHelpText("after", examples("bron runs list --status done\n  bron runs show 3f9a1c20"));
  leaf(runs.command("list"), "List runs, newest first", 'bron runs list --status "needs approval"')
    .addOption(
      new Option("--status <status>", "Only runs with this status")
        .choices(statusNames)
        .argParser(status),
    )
    .option("--limit <n>", "Maximum number of runs", integer(1, 1_000), 20)
    .action((options) => run(loadRuns, (commands, context) => commands.listRuns(context, options)));
  leaf(
    runs.command("show"),
    "Show a run and its timeline",
    "bron runs show 3f9a1c20\n  bron runs show 3f9a1c20 --tree",
  )
    .argument("<id>", idHelp)
    .option("--tree", "Include the steps of its child runs")
    .option(...verbose)
    .action((id, options) =>
      run(loadRuns, (commands, context) => commands.showRunDetails(context, id, options)),
    );
  leaf(
    runs.command("cancel"),
    "Cancel a run",
    'bron runs cancel 3f9a1c20 --reason "no longer needed"',
  )
    .argument("<id>", idHelp)
    .option("--reason <text>", "Reason, saved in the run's log")
    .action((id, options) =>
      run(loadCancelRun, (commands, context) => commands.cancelRun(context, id, options)),
    );

  addWordsAndMoves(runs, run);

  leaf(
    runs.command("retry"),
    "Retry a finished run, reusing completed steps",
    "bron runs retry 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .option("--detach", "Run in the background and print the new run's ID")
    .option(...verbose)
    .action((id, options) =>
      run(loadRetryRun, (commands, context) => commands.retryRun(context, id, options)),
    );
  leaf(
    runs.command("approve-send"),
    "Approve or deny a run's pending action",
    "bron runs approve-send 3f9a1c20 --digest 5c1f9a0b3d2e4f60",
  )
    .argument("<id>", idHelp)
    .option(
      "--digest <digest>",
      "Digest of the version you reviewed, or its first 16 characters (required if the run has several, or if it was edited)",
    )
    .option("--deny", "Deny instead of approving")
    .option("--reason <text>", "Reason, passed on to the model")
    .action((id, options) =>
      run(loadDecideMany, (commands, context) => commands.approveSend(context, id, options)),
    );
}

/** What the owner can do to a run that has not ended, besides stopping it. */
function addWordsAndMoves(runs: Command, run: Runner["run"]): void {
  leaf(
    runs.command("move"),
    "Move a waiting run to another place",
    "bron runs move 3f9a1c20 --folder .\n  bron runs move 3f9a1c20 --anywhere",
  )
    .argument("<id>", idHelp)
    .option("--folder <path>", "The folder in which it must run")
    .option("--machine <name>", "The machine of the folder (default: this one)")
    .option("--anywhere", "Let any worker continue it")
    .action((id, options) =>
      run(loadMoveRun, (commands, context) => commands.moveRun(context, id, options)),
    );

  leaf(
    runs.command("undo"),
    "Undo what a run is about to do without asking",
    "bron runs undo 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(loadUndoUnasked, (commands, context) => commands.undoUnasked(context, id, options)),
    );

  leaf(
    runs.command("cross-out"),
    "List what Bron understood you to ask for, or cross out a line so that Bron asks first",
    "bron runs cross-out 3f9a1c20 1",
  )
    .argument("<id>", idHelp)
    .argument("[number]", "The line to cross out (default: only list them)")
    .action((id, number, options) =>
      run(loadCrossOut, (commands, context) => commands.crossOut(context, id, number, options)),
    );

  leaf(
    runs.command("put-back"),
    "List texts that don't count as your words, or mark one as yours",
    "bron runs put-back 3f9a1c20 1",
  )
    .argument("<id>", idHelp)
    .argument("[number]", "The text that is yours (default: only list them)")
    .option("--full", "List the whole texts")
    .action((id, number, options) =>
      run(loadPutBack, (commands, context) => commands.putBack(context, id, number, options)),
    );

  leaf(
    runs.command("restore"),
    "List the texts that a run replaced, or restore one of them",
    "bron runs restore 3f9a1c20 1",
  )
    .argument("<id>", idHelp)
    .argument("[number]", "The text to restore (default: only list them)")
    .action((id, number, options) =>
      run(loadRestore, (commands, context) => commands.restore(context, id, number, options)),
    );

  leaf(
    runs.command("say"),
    "Say something to a run, also while it works",
    'bron runs say 3f9a1c20 "In French, please"',
  )
    .argument("<id>", idHelp)
    .argument("[words]", "What to say, in quotes (asked for if omitted)")
    .option(...wordsFromStdin)
    .action((id, words, options) =>
      run(loadSay, (commands, context) => commands.say(context, id, words, options)),
    );
}

function addTalkCommand(program: Command, run: Runner["run"]): void {
  leaf(
    program.command("chat"),
    "Talk with a Bron: each line is a task of one conversation",
    "bron chat\n  bron chat --bron Nova",
  )
    .option("--bron <name>", "The Bron to talk with (default: the default Bron)")
    .option("--thread <id>", "Continue a conversation (bron threads show prints its ID)", fullId)
    .option(...verbose)
    .action((options) => run(loadTalk, (commands, context) => commands.talk(context, options)));
}

function addLogsCommand(program: Command, run: Runner["run"]): void {
  leaf(
    program.command("logs"),
    "Show the steps of a run, in words",
    "bron logs\n  bron logs 3f9a1c20 -f\n  bron logs -f      (what all runs do, until Ctrl-C)",
  )
    .argument("[run]", `${idHelp} (default: the newest run)`)
    .option("-f, --follow", "Go on until the run has ended, or without a run until Ctrl-C")
    .option(...verbose)
    .action((id, options) =>
      run(loadLogs, (commands, context) =>
        commands.showLogs(context, id, { ...options, isLive: options.follow === true }),
      ),
    );
}

const runExample = `bron run What is 17% of 2340
  bron run --file invoice.pdf "What is the total?"
  bron run --bron Nova "What is new in #orders?"
  bron run "What does she want?" < mail.txt
  bron run - --words-from-stdin < my-task.txt

Put the task in quotes if it has characters that your shell treats as its own, such as ? and '.
In a terminal, Bron asks here for what it needs: an approval or an answer.

Text that is piped in, and pasted text of more than one line, is context. Bron reads it, but it
doesn't count as your words.

If "bron start" is running on this home, it does the work, with its own model and limits.
Otherwise this command does the work itself.`;
