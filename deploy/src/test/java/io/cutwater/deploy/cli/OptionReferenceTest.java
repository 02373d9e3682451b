package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.cli.help.OptionReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionReferenceTest {
    private static final Path PAGE = Path.of("docs", "reference", "options.md");
    private static final Path GENERATED = Path.of("target", "options.md");

    @Test
    void thePageIsThatOfTheCommands() throws IOException {
        String page = OptionReference.page(Cutwater.commandLine());
        Files.writeString(GENERATED, page);

        assertThat(Files.readString(PAGE))
                .as("%s is out of date; run: cp deploy/%s deploy/%s", PAGE, GENERATED, PAGE)
                .isEqualTo(page);
    }

    @Test
    void everyOptionHasADescriptionOfOneLine() {
        assertThat(OptionReference.page(Cutwater.commandLine()).lines().filter(line -> line.startsWith("| `--")))
                .hasSizeGreaterThan(150)
                .allSatisfy(line -> assertThat(line)
                        .doesNotContain("null", "|  |", "${", "%n")
                        .hasSizeLessThan(200));
    }
}
