import type { Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { integer, wordsFromStdin } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadQuestions = () => import("../commands/questions.ts");

export function addQuestionCommands(program: Command, { run }: Runner): void {
  const questions = program
    .command("questions")
    .description("List and answer questions from runs")
    .addHelpText(
      "after",
      examples('bron questions list\n  bron questions answer 1b2c3d4e "the one in Berlin"'),
    );
  leaf(questions.command("list"), "List open questions", "bron questions list")
    .option("--all", "Include answered and expired questions")
    .action((options) =>
      run(loadQuestions, (commands, context) => commands.listQuestions(context, options)),
    );
  leaf(questions.command("show"), "Show a question and its choices", "bron questions show 1b2c3d4e")
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(loadQuestions, (commands, context) => commands.showQuestion(context, id, options)),
    );
  leaf(
    questions.command("answer"),
    "Answer a question",
    'bron questions answer 1b2c3d4e "the one in Berlin"\n  bron questions answer 1b2c3d4e --choice 2',
  )
    .argument("<id>", idHelp)
    .argument("[words]", "Your answer, in quotes (asked for if omitted)")
    .option(...wordsFromStdin)
    .option("--choice <n>", "The number of a choice", integer(1, 100))
    .action((id, words, options) =>
      run(loadQuestions, (commands, context) =>
        commands.answerQuestion(context, id, words, options),
      ),
    );
}
