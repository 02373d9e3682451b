package io.cutwater.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.launch.LogFormat;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {
    private static ClusterSettings with(String metricsPorts) {
        return new ClusterSettings(9092, 9093, 8081, 6123, 2, 2, 2L << 30, metricsPorts, 9090, LogFormat.TEXT, "");
    }

    @Test
    void everyFlinkProcessHasAMetricsPortOfItsOwn() {
        assertThat(with("9249-9251").metricsPort("jobmanager")).hasValue(9249);
        assertThat(with("9249-9251").metricsPort("taskmanager-1")).hasValue(9250);
        assertThat(with("9249-9251").metricsPort("taskmanager-2")).hasValue(9251);
        assertThat(with("9249-9251").metricsPort("taskmanager-3")).isEmpty();
        assertThat(with("9249").metricsPort("jobmanager")).hasValue(9249);
        assertThat(with("9249").metricsPort("taskmanager-1")).isEmpty();
        assertThat(with("9249-9251").metricsPort("broker")).isEmpty();
        assertThat(with("9249-9251").metricsPort("prometheus")).isEmpty();
        assertThat(with("").metricsPort("jobmanager")).isEmpty();
    }
}
