package io.cutwater.kafka.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TrainingRoundJsonTest {
    private static final TrainingRound ROUND =
            round("full graph, staleness epoch:10, rows as they are", 0.125, 1L << 41, 2);

    /** The bytes that this version writes; a later version must read them. */
    private static final String GOLDEN =
            "{\"run\":\"r-1\",\"model\":\"gat\",\"mode\":\"full graph, staleness epoch:10, rows as they are\",\"round\":3,\"epochs\":6,\"loss\":0.5,"
                    + "\"trainAccuracy\":0.25,\"testAccuracy\":0.75,\"seconds\":1.5,\"waitingShare\":0.125,\"bytesAveraged\":1099511627776,"
                    + "\"bytesExchanged\":2199023255552,\"workers\":2,\"missing\":1,\"shards\":4,\"vertices\":10,\"edges\":20}";

    @Test
    void writesAndReadsTheGoldenBytes() {
        assertThat(new String(TrainingRoundJson.toBytes(ROUND), StandardCharsets.UTF_8))
                .isEqualTo(GOLDEN);
        assertThat(TrainingRoundJson.read(bytes(GOLDEN))).isEqualTo(ROUND);
    }

    private static TrainingRound round(String mode, double waitingShare, long bytesExchanged, int workers) {
        return new TrainingRound(
                "r-1",
                "gat",
                mode,
                3,
                6,
                0.5,
                Double.NaN,
                0.25,
                Double.NaN,
                0.75,
                1.5,
                waitingShare,
                1L << 40,
                bytesExchanged,
                workers,
                1,
                4,
                10,
                20);
    }

    /** Builds of 0.2 wrote no workers at first, and no mode. */
    @Test
    void readsRoundsWithoutWorkers() {
        String older = GOLDEN.replace("\"bytesExchanged\":2199023255552,\"workers\":2,", "")
                .replace("\"mode\":\"full graph, staleness epoch:10, rows as they are\",", "")
                .replace("\"waitingShare\":0.125,", "");
        assertThat(older).hasSize(GOLDEN.length() - 122);
        assertThat(TrainingRoundJson.read(bytes(older))).isEqualTo(round("", Double.NaN, 0, 0));
    }

    @Test
    void refusesWhatIsNoRound() {
        for (String wrong : new String[] {"", "[]", "{\"run\":\"r\"}", "{\"run\":"}) {
            assertThatThrownBy(() -> TrainingRoundJson.read(bytes(wrong)))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("the round of a training ");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
