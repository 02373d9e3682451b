package io.cutwater.deploy.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the SQL of the guide with Flink's table planner; the decoder of the guide's {@code submit} reads the edges. */
final class FlinkSqlTest {
    private static final Path GUIDE = Path.of("../docs/how-to/feed-edges-with-flink-sql.md");
    private static final Pattern SQL = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SUBMIT = Pattern.compile("\\./cutwater submit (.*?)```", Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("--([a-z-]+) ([^- \n]\\S*)");

    private static final int PAYMENTS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    @Test
    void eachRowIsOneEdgeAlsoAfterTheQueryEndedInTheMiddle() throws Exception {
        GuideScript script =
                new GuideScript(broker.bootstrapServers(), "rows-", sections().get(0), folder);
        List<PaymentRow> payments = PaymentRow.random(PAYMENTS, 7);
        Map<String, List<String>> expected = new TreeMap<>();
        payments.stream()
                .filter(PaymentRow::isEdge)
                .forEach(payment -> expected.computeIfAbsent(payment.ends(), ends -> new ArrayList<>())
                        .add(payment.event()));

        // Between two checkpoints there is time to end it with an open transaction.
        JobClient first = script.start("3 s", null);
        script.send(payments.subList(0, PAYMENTS / 2));
        await().atMost(PATIENCE).until(() -> !script.edges().isEmpty());
        script.send(payments.subList(PAYMENTS / 2, PAYMENTS));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(script::hasOpenTransactions);
        cancel(first);
        assertThat(script.edges()).isNotEqualTo(expected);

        JobClient second = script.start("200 ms", script.lastCheckpoint());
        // Equal lists: the order of the events of an edge is that of its payments.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(script.edges()).isEqualTo(expected));
        cancel(second);
        assertThat(script.count("read_uncommitted")).isGreaterThan(script.count("read_committed"));
    }

    @Test
    void changesOfAResultKeepOneEdgeForEachPair() throws Exception {
        List<GuideScript.Section> sections = sections();
        GuideScript.Section rows = sections.get(0);
        GuideScript.Section changes = sections.get(1);
        // Its tables, without its query.
        String tables = rows.sql().substring(0, rows.sql().indexOf("INSERT INTO"));
        GuideScript script = new GuideScript(
                broker.bootstrapServers(),
                "changes-",
                new GuideScript.Section(changes.options(), tables + changes.sql()),
                folder);
        List<PaymentRow> payments = PaymentRow.random(PAYMENTS, 8);
        Map<String, String> expected = sums(payments);

        JobClient query = script.start("200 ms", null);
        script.send(payments);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(net(script.edges())).isEqualTo(expected));
        cancel(query);
        assertThat(script.count("read_committed")).isGreaterThan(expected.size());
    }

    /** The edge of each pair that has booked payments. */
    private static Map<String, String> sums(List<PaymentRow> payments) {
        Map<String, List<PaymentRow>> pairs = new TreeMap<>();
        payments.stream()
                .filter(payment -> payment.isEdge() && payment.status().equals("booked"))
                .forEach(payment -> pairs.computeIfAbsent(payment.ends(), ends -> new ArrayList<>())
                        .add(payment));
        Map<String, String> sums = new TreeMap<>();
        pairs.forEach((ends, of) -> sums.put(
                ends,
                PaymentRow.event(
                        false,
                        of.stream()
                                .map(PaymentRow::amount)
                                .filter(amount -> amount != null)
                                .reduce(BigDecimal::add)
                                .map(BigDecimal::doubleValue)
                                .orElse(Double.NaN),
                        of.stream()
                                .map(PaymentRow::bookedAt)
                                .filter(time -> time != null)
                                .reduce(Math::max)
                                .orElse(EdgeBatch.NO_TIMESTAMP))));
        return sums;
    }

    /** Cancels a query, and waits until it has ended. */
    private static void cancel(JobClient query) throws Exception {
        query.cancel().get();
        assertThat(query.getJobExecutionResult())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withRootCauseInstanceOf(JobCancellationException.class);
    }

    /** The one edge that events leave of each pair. */
    private static Map<String, String> net(Map<String, List<String>> events) {
        Map<String, String> net = new TreeMap<>();
        events.forEach((ends, of) -> {
            List<String> copies = new ArrayList<>();
            for (String event : of) {
                if (event.startsWith("add ")) {
                    copies.add(event);
                } else {
                    assertThat(copies).as("edge that is removed").isNotEmpty();
                    copies.remove(0);
                }
            }
            assertThat(copies).hasSizeLessThanOrEqualTo(1);
            copies.forEach(edge -> net.put(ends, edge));
        });
        return net;
    }

    private static List<GuideScript.Section> sections() throws IOException {
        String guide = Files.readString(GUIDE);
        List<GuideScript.Section> sections = new ArrayList<>();
        Matcher submit = SUBMIT.matcher(guide);
        Matcher sql = SQL.matcher(guide);
        while (submit.find()) {
            Map<String, String> options = new HashMap<>();
            Matcher option = OPTION.matcher(submit.group(1));
            while (option.find()) {
                options.put(option.group(1), option.group(2));
            }
            assertThat(sql.find(submit.end())).isTrue();
            sections.add(new GuideScript.Section(options, sql.group(1)));
        }
        assertThat(sections).hasSize(2);
        return sections;
    }
}
