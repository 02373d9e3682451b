package io.cutwater.deploy.page.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Series of numbers that become full. */
class TimeSeriesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aFullSeriesLosesEverySecondOldRow() {
        TimeSeries series = new TimeSeries(8, "time", "n");
        for (int i = 1; i <= 1_000; i++) {
            series.add(i, 2 * i);
        }
        assertThat(series.size()).isLessThanOrEqualTo(8);
        assertThat(series.fromEnd(0, 1)).isEqualTo(2_000);
        assertThat(Objects.requireNonNull(series.at(999.5))[1]).isEqualTo(1_998);
        ObjectNode tree = JSON.createObjectNode();
        series.putAfter(998, tree);
        assertThat(tree).hasToString("{\"time\":[999.0,1000.0],\"n\":[1998.0,2000.0]}");
    }
}
