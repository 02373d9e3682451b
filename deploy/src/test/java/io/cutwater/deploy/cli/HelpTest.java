package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.testkit.CommandRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code --help} says, on a terminal of 80 columns. */
class HelpTest {
    private static final int COLUMNS = 80;

    private static List<CommandLine> commands(CommandLine of) {
        List<CommandLine> all = new ArrayList<>(List.of(of));
        of.getSubcommands().values().forEach(each -> all.addAll(commands(each)));
        return all;
    }

    private static String help(CommandLine command) {
        List<String> words = new ArrayList<>(List.of(command.getCommandSpec()
                .qualifiedName()
                .replaceFirst("^cutwater ?", "")
                .split(" ")));
        words.remove("");
        words.add("--help");
        return CommandRun.of(Cutwater::run, words.toArray(String[]::new)).out();
    }

    @Test
    void noLineIsWiderThanATerminal() {
        for (CommandLine command : commands(Cutwater.commandLine())) {
            assertThat(help(command).lines())
                    .as(command.getCommandSpec().qualifiedName())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
        }
    }

    @Test
    void theListOfCommandsHasWholeSentences() {
        CommandLine root = Cutwater.commandLine();
        String help = help(root).replaceAll("\\s+", " ");
        root.getSubcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(command -> !command.usageMessage().hidden())
                .forEach(command -> {
                    String sentence = command.usageMessage().description()[0];
                    assertThat(sentence).endsWith(".");
                    assertThat(help).contains(command.name() + " " + sentence);
                });
    }

    /** Every algorithm runs in the job, those of vertices and those in bulk too. */
    @Test
    void compareDeniesNoAlgorithmToTheJob() {
        String compare = help(Cutwater.commandLine().getSubcommands().get("compare"));
        assertThat(compare)
                .contains("--kind=edge|vertex|both", "--passes=live|bulk")
                .doesNotContain("the job");
    }

    @Test
    void everyCommandFindsTheBrokerOfTheLocalCluster() {
        List<String> asking = new ArrayList<>();
        for (CommandLine command : commands(Cutwater.commandLine())) {
            OptionSpec servers = command.getCommandSpec().findOption("--bootstrap-servers");
            if (servers != null) {
                asking.add(command.getCommandSpec().qualifiedName());
                assertThat(servers.required()).isFalse();
                // A resumed job keeps the brokers of its submission.
                assertThat(servers.description()[0])
                        .endsWith(
                                command.getCommandName().equals("resume")
                                        ? "separated by commas."
                                        : "separated by commas. Default: that of the local cluster");
            }
        }
        assertThat(asking)
                .contains(
                        "cutwater ingest",
                        "cutwater shard read",
                        "cutwater shard check",
                        "cutwater partition",
                        "cutwater compare",
                        "cutwater train",
                        "cutwater predict",
                        "cutwater submit",
                        "cutwater resume",
                        "cutwater repartition",
                        "cutwater page",
                        "cutwater doctor");
    }
}
