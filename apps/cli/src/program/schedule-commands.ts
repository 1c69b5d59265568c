import { missedChoices, overlapChoices, trustLevels, watchSources } from "@bron/protocol";
import { Option, type Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { dollars } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadSchedules = () => import("../commands/schedules.ts");

const addExamples = `bron schedule add "Summarize my unread email" --cron "0 8 * * 1-5" --zone Europe/Berlin
  bron schedule add "Check the status page" --every 2h
  bron schedule add "Prepare the review" --at 2026-12-24T09:00
  bron schedule add "Read it and tell me what it asks for" --watch gmail --query "from:eva@example.com" --every 5m`;

export function addScheduleCommands(program: Command, { run }: Runner): void {
  const schedule = program
    .command("schedule")
    .description("Start tasks at fixed times, or when something new arrives")
    .addHelpText("after", examples(`bron schedule list\n  ${addExamples}`));
  leaf(
    schedule.command("list"),
    "List schedules and watches with their next times",
    "bron schedule list",
  ).action((options) =>
    run(loadSchedules, (commands, context) => commands.listSchedules(context, options)),
  );
  leaf(schedule.command("add"), "Create a schedule or a watch", addExamples)
    .argument("<task>", "What Bron does each time. These are your words")
    .option("--cron <expression>", 'Five fields: "0 8 * * 1-5" is every weekday at 8:00')
    .option("--every <interval>", "Minutes, hours or days: 30m, 2h or 1d")
    .option("--at <time>", "Once, at a date and time: 2026-12-24T09:00")
    .option(
      "--zone <zone>",
      "Time zone, such as Europe/Berlin. The default is that of this machine",
    )
    .option("--title <title>", "A short name")
    .option("--bron <bron>", "The Bron that does it: its name, or the start of its ID")
    .option("--until <time>", "The last possible time: 2026-12-31T23:59")
    .addOption(
      new Option("--missed <what>", "What happens to a time at which Bron was not running")
        .choices(missedChoices)
        .default("once"),
    )
    .addOption(
      new Option("--overlap <what>", "What happens while the last task is still under way")
        .choices(overlapChoices)
        .default("skip"),
    )
    .addOption(
      new Option("--trust <level>", "Lower than the trust level of the Bron").choices(trustLevels),
    )
    .option("--max-cost <dollars>", "The most that one task may cost", dollars)
    .addOption(
      new Option("--watch <source>", "Start when something new arrives there").choices(
        watchSources,
      ),
    )
    .option(
      "--query <query>",
      "What to watch: a Gmail search, a channel, an event search, or a URL",
    )
    .option("--together", "One task for everything that arrived, instead of one for each")
    .action((task, options) =>
      run(loadSchedules, (commands, context) => commands.addSchedule(context, task, options)),
    );
  leaf(
    schedule.command("show"),
    "Show a schedule with its last tasks",
    "bron schedule show 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(loadSchedules, (commands, context) => commands.showSchedule(context, id, options)),
    );
  for (const [name, about] of [
    ["pause", "Pause a schedule. Its tasks under way go on"],
    ["resume", "Resume a schedule at its next time"],
    ["run", "Start the task of a schedule now"],
    ["remove", "Remove a schedule. Its tasks stay"],
  ] as const)
    leaf(schedule.command(name), about, `bron schedule ${name} 3f9a1c20`)
      .argument("<id>", idHelp)
      .action((id, options) =>
        run(loadSchedules, (commands, context) =>
          commands.changeSchedule(context, name, id, options),
        ),
      );
}
