package io.cutwater.trainer.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StalenessTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "epoch:1", "adaptive:3", "variation:0.02,10", "variation:0.5,2"})
    void aRuleReadsWhatItWrites(String text) {
        assertThat(Staleness.of(text)).hasToString(text);
    }

    @Test
    void aVariationHasABoundOfTenEpochs() {
        assertThat(Staleness.of("variation:0.01")).isEqualTo(Staleness.of("variation:0.01,10"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "epoch", "epoch:0", "epoch:-1", "adaptive:x", "variation:", "variation:.", "none:1"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> Staleness.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'%s'".formatted(text));
    }

    @ParameterizedTest
    @CsvSource({"epoch, 1, 0.5", "epoch, 3, 0.75", "adaptive, 1, 0.5", "adaptive, 2, 0.6667"})
    void theShareThatIsNotSentIsThatOfTheBound(String kind, int bound, double share) {
        Staleness rule = Staleness.of("%s:%d".formatted(kind, bound));
        int last = -1;
        int skipped = 0;
        int epochs = 1200;
        for (int epoch = Staleness.WARM_UP; epoch < Staleness.WARM_UP + epochs; epoch++) {
            if (last < 0 || rule.isDue(epoch, last, 1, () -> 1)) {
                last = epoch;
            } else {
                skipped++;
            }
        }
        assertThat((double) skipped / epochs).isCloseTo(share, within(0.01));
    }
}
