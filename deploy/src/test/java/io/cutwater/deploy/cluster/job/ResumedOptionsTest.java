package io.cutwater.deploy.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.job.option.LiveJobOptions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Advice is such that {@code resume} takes it: no message recommends an option that resuming refuses. */
class ResumedOptionsTest {
    private static JobRecord past(String... more) {
        Map<String, String> options =
                new TreeMap<>(Map.of("bootstrap-servers", "h:1", "partitions", "4", "algorithm", "cutwater"));
        put(options, more);
        return new JobRecord("id", "h:2", options, null, null, null, null, null, null);
    }

    private static void put(Map<String, String> options, String... more) {
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "algorithm | hdrf | --algorithm cannot change when a job is resumed, because its state depends on 'cutwater'",
                "bootstrap-tasks | 2 | --bootstrap-tasks cannot change when a job is resumed, because its state depends on '1'",
                "bootstrap-threads | 2 | --bootstrap-threads cannot change when a job is resumed, because its state depends on '1'",
                "partitions | 6 | --partitions cannot change when a job is resumed, because its state depends on '4'",
            })
    void whatTheStateDoesNotAllowIsRefused(String option, String value, String sentence) {
        assertThatThrownBy(() -> ResumedOptions.of(past(), Map.of(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void oneAssignerAndSeveralContinueEachOther() {
        JobRecord one = past("parallelism", "2");
        JobRecord several = past("algorithm", "hdrf", "keep-edges", "true", "assigners", "3");

        JobRecord owned = past("kind", "vertex", "keep-edges", "true", "parallelism", "2");
        assertThat(ResumedOptions.of(owned, Map.of("assigners", "2")).assigners())
                .isEqualTo(2);
        assertThat(ResumedOptions.of(one, Map.of("assigners", "2")).assigners()).isEqualTo(2);
        assertThat(ResumedOptions.of(several, Map.of("assigners", "1")).assigners())
                .isEqualTo(1);
    }

    @Test
    void aJobOfOneTaskIsSpreadUnlessSeveralTasksCannotReadItsState() {
        JobRecord past = past("algorithm", "hdrf", "keep-edges", "true");
        JobRecord removing = past("keep-edges", "true", "remove-vertices", "true");
        JobRecord sigma = past("algorithm", "sigma-edge");
        JobRecord withoutClusters = past("algorithm", "sigma-edge", "set", "clustering=none");

        assertThat(ResumedOptions.of(past(), Map.of("topology", "distributed")).spread())
                .isNotNull();
        assertThat(ResumedOptions.of(past, Map.of("parallelism", "2")).spread()).isNotNull();
        assertThat(ResumedOptions.of(past, Map.of("checkpoint-interval", "5s")).spread())
                .isNull();
        assertThat(ResumedOptions.of(removing, Map.of("assigners", "2")).spread())
                .isNotNull();
        assertThat(ResumedOptions.of(sigma, Map.of("assigners", "2")).spread()).isNotNull();
        assertThatThrownBy(() -> ResumedOptions.of(withoutClusters, Map.of("parallelism", "2")))
                .hasMessageContaining("a job of one task with --algorithm sigma-edge keeps state beside the vertices");
    }

    @Test
    void aDistributedJobStaysOneUnlessTheFusedTopologyIsAskedFor() {
        JobRecord past = past("algorithm", "hdrf", "parallelism", "2");

        assertThat(ResumedOptions.of(past, Map.of("parallelism", "1")).spread()).isNotNull();
        LiveJobOptions fused = ResumedOptions.of(past, Map.of("topology", "fused"));
        assertThat(fused.spread()).isNull();
        assertThatThrownBy(() -> ResumedOptions.of(past, Map.of("assigners", "2", "topology", "fused")))
                .hasMessageContaining("--topology fused uses one task; leave --parallelism");
        JobRecord removing = past("keep-edges", "true", "remove-vertices", "true", "topology", "distributed");
        assertThat(ResumedOptions.of(removing, Map.of("topology", "fused")).spread())
                .isNull();
        JobRecord placed = past("parallelism", "2", "bootstrap", "0:0-5", "bootstrap-tasks", "2");
        assertThat(ResumedOptions.of(placed, Map.of("topology", "fused")))
                .returns(null, LiveJobOptions::spread)
                .returns(1, LiveJobOptions::bootstrapTasks);
    }
}
