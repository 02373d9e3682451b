package io.cutwater.deploy.cli.converter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.deploy.input.TopicMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class OptionConvertersTest {
    @ParameterizedTest
    @CsvSource({"0,0", "4096,4096", "1k,1024", "256m,268435456", "2G,2147483648", "2gb,2147483648"})
    void sizesHaveASuffix(String text, long bytes) {
        assertThat(new ByteSizeConverter().convert(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5g", "1x", "m", "99999999999999g"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> new ByteSizeConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "10s,10000", "10,10000", "2m,120000", "1h,3600000"})
    void timesHaveAUnit(String text, long millis) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1.5s", "1y"})
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"5%,0.05", "0.05,0.05", "100%,1", "1,1", "0.5%,0.005"})
    void sharesHaveAPercentSignOrNone(String text, double share) {
        assertThat(new ShareConverter().convert(text)).isEqualTo(share);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "0", "101%", "1.5", "-5%", "NaN"})
    void whatIsNoShareIsRefused(String text) {
        assertThatThrownBy(() -> new ShareConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"20000,20000", "20000/s,20000", "1,1"})
    void ratesAreEdgesInASecond(String text, long edges) {
        assertThat(new RateConverter().convert(text)).isEqualTo(edges);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "5k", "1/min", "/s"})
    void whatIsNoRateIsRefused(String text) {
        assertThatThrownBy(() -> new RateConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void momentsOfATopicAreOffsetsOrATime() {
        TopicMomentConverter converter = new TopicMomentConverter();
        assertThat(converter.convert("0:1234,2:99")).isEqualTo(new TopicMoment.AtOffsets(Map.of(0, 1234L, 2, 99L)));
        TopicMoment time = new TopicMoment.AtTime(Instant.ofEpochMilli(1_795_291_200_000L));
        assertThat(converter.convert("@1795291200000")).isEqualTo(time);
        assertThat(converter.convert("2026-11-21T20:00:00Z")).isEqualTo(time);
        assertThat(converter.convert("2026-11-21T21:00:00+01:00")).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1234", "noon", "0:", "0:1,", "0:1,0:2", "@", "-1:5", "2026-11-21T20:00:00", "2026-11-21"})
    void whatIsNoMomentOfATopicIsRefused(String text) {
        assertThatThrownBy(() -> new TopicMomentConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
