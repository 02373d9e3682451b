package io.cutwater.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.ChoiceSetting;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about algorithms describes those of the table, with their settings and defaults. */
class DocumentedAlgorithmsTest {
    @Test
    void everyAlgorithmHasARowAndEverySettingItsDefault() throws IOException {
        Path page = MarkdownFiles.all().stream()
                .filter(file -> file.endsWith("explanation/algorithms.md"))
                .findFirst()
                .orElseThrow();
        String text = Files.readString(page);
        for (Algorithm algorithm : Algorithms.all()) {
            assertThat(text).contains("\n| `" + algorithm.name() + "` |");
            for (PassMode mode : PassMode.values()) {
                for (Setting setting : algorithm.settings(mode)) {
                    assertThat(hasDefault(text, setting))
                            .as("%s of %s, %s", setting, algorithm.name(), mode)
                            .isTrue();
                }
            }
        }
    }

    private static boolean hasDefault(String text, Setting setting) {
        Pattern shown = Pattern.compile("`" + Pattern.quote(setting.name()) + "` \\(`?([-0-9a-z.,]+)");
        return shown.matcher(text).results().map(match -> match.group(1)).anyMatch(value -> isDefault(value, setting));
    }

    private static boolean isDefault(String value, Setting setting) {
        if (setting instanceof ChoiceSetting choice) {
            return value.equals(choice.choices().get(0));
        }
        return setting instanceof NumericSetting number
                && Double.parseDouble(value.replace(",", "")) == number.defaultValue();
    }
}
