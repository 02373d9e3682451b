package io.cutwater.deploy.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.job.option.JobOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class LiveOptionsTest {
    private static final CommandLine RESUME = line(new ResumeCommand());

    @Test
    void theOptionsThatAreGivenGoToTheJob() {
        CommandLine submit = line(new SubmitCommand());
        submit.parseArgs(
                "--partitions=8", "--keep-edges", "--bootstrap", "--auto-repartition", "--set", "a=1", "--set=b=2");

        assertThat(LiveOptions.given(submit.getCommandSpec()))
                .isEqualTo(Map.of(
                        "partitions", "8",
                        "keep-edges", "true",
                        "bootstrap", "now",
                        "auto-repartition", "5%",
                        "set", "a=1,b=2"));
    }

    @Test
    void whatIsNotGivenIsLeftToTheJob() {
        CommandLine submit = line(new SubmitCommand());
        submit.parseArgs();

        assertThat(LiveOptions.given(submit.getCommandSpec())).isEmpty();
    }

    @Test
    void theFileOfPropertiesHasAnAbsolutePath() {
        CommandLine submit = line(new SubmitCommand());
        submit.parseArgs("--kafka-properties", "conf/../k.properties");

        assertThat(LiveOptions.given(submit.getCommandSpec()))
                .isEqualTo(Map.of(
                        "kafka-properties",
                        Path.of("k.properties").toAbsolutePath().toString()));
    }

    @ParameterizedTest
    @MethodSource("declared")
    void everyOptionOfTheJobIsOnTheCommandLine(JobOption option) {
        assertThat(RESUME.getCommandSpec().findOption("--" + option.name())).isNotNull();
        assertThat(option.description()).isNotBlank().hasSizeLessThan(110);
    }

    private static Iterable<JobOption> declared() {
        return JobOption.ALL;
    }

    private static CommandLine line(Object command) {
        return new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Test
    void losingRecordsIsAcceptedByResumeOnly() {
        CommandLine submit = line(new SubmitCommand());

        assertThat(submit.getCommandSpec().findOption("--accept-loss")).isNull();
        assertThat(RESUME.getCommandSpec().findOption("--accept-loss")).isNotNull();
    }
}
