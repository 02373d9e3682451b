package io.cutwater.flink.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.metrics.CharacterFilter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.LogicalScopeProvider;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusEndpointTest {
    private final PrometheusEndpoint endpoint =
            (PrometheusEndpoint) new PrometheusEndpointFactory().createMetricReporter(new Properties());

    @BeforeEach
    void open() {
        endpoint.open(config("0"));
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private static MetricConfig config(String port) {
        MetricConfig config = new MetricConfig();
        config.setProperty("port", port);
        return config;
    }

    /** A group of a task with this logical scope. */
    private static MetricGroup group(String scope, String subtask, String attempt) {
        return new TaskGroup(
                scope, Map.of("<job_name>", "a \"b\"", "<subtask_index>", subtask, "<task_attempt_id>", attempt));
    }

    private static final class TaskGroup extends UnregisteredMetricsGroup implements LogicalScopeProvider {
        private final String scope;
        private final Map<String, String> variables;

        TaskGroup(String scope, Map<String, String> variables) {
            this.scope = scope;
            this.variables = variables;
        }

        @Override
        public Map<String, String> getAllVariables() {
            return variables;
        }

        @Override
        public String getLogicalScope(CharacterFilter filter) {
            return scope;
        }

        @Override
        public String getLogicalScope(CharacterFilter filter, char delimiter) {
            return scope;
        }

        @Override
        public MetricGroup getWrappedMetricGroup() {
            return this;
        }
    }

    private String scrape() throws IOException, InterruptedException {
        return scrape(endpoint);
    }

    private static String scrape(PrometheusEndpoint asked) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + asked.port() + "/metrics"))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void servesOursWithTypesUnitsAndHelp() throws Exception {
        MetricGroup ours = group("taskmanager.job.task.operator.cutwater", "0", "first");
        endpoint.notifyOfAddedMetric((Gauge<Long>) () -> 7L, "deadLetters", ours);
        endpoint.notifyOfAddedMetric((Gauge<Long>) () -> 1_500L, "checkpointPauseMillis", ours);
        endpoint.notifyOfAddedMetric((Gauge<String>) () -> "reading", "bulkStage", ours);
        endpoint.notifyOfAddedMetric(
                (Gauge<Long>) () -> {
                    throw new IllegalStateException("closed");
                },
                "cacheBytes",
                ours);

        assertThat(scrape())
                .contains(
                        "# HELP cutwater_dead_letters_total Records that were malformed.\n"
                                + "# TYPE cutwater_dead_letters_total counter\n"
                                + "cutwater_dead_letters_total{job_name=\"a \\\"b\\\"\",subtask_index=\"0\"} 7.0\n",
                        "# TYPE cutwater_checkpoint_pause_seconds gauge\n",
                        "cutwater_checkpoint_pause_seconds{job_name=\"a \\\"b\\\"\",subtask_index=\"0\"} 1.5\n")
                .doesNotContain("cutwater_bulk_stage{", "cutwater_cache_bytes{");
    }

    @Test
    void servesThoseOfFlink() throws Exception {
        MetricGroup task = group("taskmanager.job.task", "3", "first");
        Counter counter = new SimpleCounter();
        counter.inc(5);
        endpoint.notifyOfAddedMetric(counter, "numRecordsIn", task);
        DescriptiveStatisticsHistogram histogram = new DescriptiveStatisticsHistogram(10);
        histogram.update(4_000);
        endpoint.notifyOfAddedMetric(histogram, "latencyMs", task);

        assertThat(scrape())
                .contains(
                        "# HELP flink_taskmanager_job_task_num_records_in_total Metric numRecordsIn of Flink's scope taskmanager.job.task.",
                        "flink_taskmanager_job_task_num_records_in_total{job_name=\"a \\\"b\\\"\",subtask_index=\"3\"} 5.0",
                        "flink_taskmanager_job_task_latency_seconds{job_name=\"a \\\"b\\\"\",subtask_index=\"3\",quantile=\"0.5\"} 4.0",
                        "flink_taskmanager_job_task_latency_seconds_count{job_name=\"a \\\"b\\\"\",subtask_index=\"3\"} 1");
    }

    @Test
    void aRestartedTaskReplacesItsSeries() throws Exception {
        Gauge<Long> before = () -> 1L;
        Gauge<Long> after = () -> 2L;
        MetricGroup first = group("taskmanager.job.task.operator.cutwater", "0", "first");
        MetricGroup second = group("taskmanager.job.task.operator.cutwater", "0", "second");
        endpoint.notifyOfAddedMetric(before, "edges", first);
        endpoint.notifyOfAddedMetric(after, "edges", second);
        endpoint.notifyOfRemovedMetric(before, "edges", first);
        assertThat(scrape()).contains("cutwater_edges{job_name=\"a \\\"b\\\"\",subtask_index=\"0\"} 2.0");

        endpoint.notifyOfRemovedMetric(after, "edges", second);
        assertThat(scrape()).isEmpty();
    }

    /** As many clients as there are threads ask for more than their connections buffer, and read one byte of it. */
    @Test
    void clientsThatDoNotReadHoldUpNobodyForLongerThanTheTimeLimit() throws Exception {
        PrometheusEndpoint busy = new PrometheusEndpoint(Duration.ofMillis(300));
        busy.open(config("0"));
        Gauge<Long> metric = () -> 7L;
        MetricGroup large = group("taskmanager.job.task.operator.cutwater", "x".repeat(16 << 20), "first");
        busy.notifyOfAddedMetric(metric, "edges", large);
        List<Socket> stuck = new ArrayList<>();
        try {
            for (int i = 0; i < PrometheusEndpoint.THREADS; i++) {
                Socket client = new Socket(InetAddress.getByName("127.0.0.1"), busy.port());
                stuck.add(client);
                client.getOutputStream()
                        .write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket client : stuck) {
                assertThat(client.getInputStream().read()).isEqualTo('H');
            }
            busy.notifyOfRemovedMetric(metric, "edges", large);
            busy.notifyOfAddedMetric(metric, "vertices", group("taskmanager.job.task.operator.cutwater", "0", "first"));
            assertThat(scrape(busy)).contains("cutwater_vertices{").doesNotContain("cutwater_edges");
        } finally {
            for (Socket client : stuck) {
                client.close();
            }
            busy.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jobmanager.job, lastCheckpointDuration, flink_jobmanager_job_last_checkpoint_duration, 1",
        "taskmanager.job.task, busyTimeMsPerSecond, flink_taskmanager_job_task_busy_time_seconds_per_second, 0.001",
        "taskmanager.Status.JVM.Threads, Count, flink_taskmanager_status_jvm_threads_number, 1",
        "taskmanager.job.task.operator, KafkaConsumer.io-wait-time-ns-avg, flink_taskmanager_job_task_operator_kafka_consumer_io_wait_time_seconds_avg, 1e-9",
        "taskmanager.job.task.operator, bytes-consumed-total, flink_taskmanager_job_task_operator_bytes_consumed, 1",
        "jobmanager, taskSlotsTotal, flink_jobmanager_task_slots, 1",
        "enumerator.cutwater, lostOffsets, cutwater_lost_offsets, 1",
    })
    void namesFollowPrometheus(String scope, String metric, String name, double scale) {
        MetricName made = MetricName.of(scope, metric, false);

        assertThat(made.text()).isEqualTo(name);
        assertThat(made.scale()).isEqualTo(scale);
        assertThat(made.isCounter()).isEqualTo(metric.endsWith("-total") || metric.equals("lostOffsets"));
    }

    @Test
    void takesTheFirstFreePortOfARange() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            int taken = socket.getLocalPort();
            PrometheusEndpoint other = new PrometheusEndpoint();
            assertThatThrownBy(() -> other.open(config(Integer.toString(taken))))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken);
            other.open(config(taken + "-" + (taken + 50)));
            assertThat(other.port()).isGreaterThan(taken);
            other.close();
        }
    }
}
