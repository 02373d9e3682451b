package io.cutwater.kafka.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.repartition.live.JobCommand;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JobCommandJsonTest {
    @Test
    void aCommandComesBackAsItWas() {
        JobCommand all = new JobCommand.Repartition("a-1", 12, 0.05, 20_000, true);
        assertThat(new String(JobCommandJson.toBytes(all), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"op\":\"repartition\",\"id\":\"a-1\",\"partitions\":12,\"budget\":0.05,\"edgesPerSecond\":20000,"
                                + "\"dryRun\":true}");
        assertThat(JobCommandJson.read(JobCommandJson.toBytes(all))).isEqualTo(all);
        JobCommand abort = new JobCommand.Abort("a-1");
        assertThat(JobCommandJson.read(JobCommandJson.toBytes(abort))).isEqualTo(abort);
    }

    @Test
    void whatIsLeftOutIsNoLimit() {
        assertThat(read("{\"op\":\"repartition\",\"id\":\"b\"}"))
                .isEqualTo(new JobCommand.Repartition("b", 0, 1, Long.MAX_VALUE, false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing                                           | not valid JSON",
                "[]                                                | not a JSON object",
                "{'id':'a'}                                        | no op",
                "{'op':'grow','id':'a'}                            | op must be repartition or abort: 'grow'",
                "{'op':'abort'}                                    | no id",
                "{'op':'abort','id':'a b'}                         | id must be 1 to 64 letters",
                "{'op':'repartition','id':'a','partitions':0}      | partitions must be a whole number from 1: 0",
                "{'op':'repartition','id':'a','partitions':4097}   | partitions must be 1 to 4096: 4097",
                "{'op':'repartition','id':'a','budget':0}          | budget must be above 0 and at most 1: 0.0",
                "{'op':'repartition','id':'a','budget':'5%'}       | budget must be a number",
                "{'op':'repartition','id':'a','edgesPerSecond':0}  | edgesPerSecond must be at least 1: 0",
                "{'op':'repartition','id':'a','dryRun':1}          | dryRun must be true or false: 1",
                "{'op':'repartition','id':'a','buget':0.1}         | an unknown key: buget"
            })
    void whatIsNoCommandIsToldApart(String json, String sentence) {
        assertThatThrownBy(() -> read(json.replace('\'', '"')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    private static JobCommand read(String json) {
        return JobCommandJson.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
