package io.cutwater.deploy.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.deploy.demo.Demo;
import io.cutwater.deploy.demo.DemoRequest;
import io.cutwater.deploy.demo.DemoResult;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.server.PageAccess;
import io.cutwater.deploy.page.server.PageServer;
import io.cutwater.deploy.view.Progress;
import io.cutwater.deploy.view.ProgressStyle;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The live page in a real browser, over a real demo. */
@Timeout(900)
class PageBrowserIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Where Cytoscape draws vertices, and what it knows of them. */
    private static final String DRAWN_VERTICES = "#neighbours-drawing canvas[data-id=layer2-node]";

    private static final String DRAWING = "return document.getElementById('neighbours-drawing')._cyreg.cy";
    private static final String LEGEND_TIME = "return document.querySelector('#cost .u-legend .u-value').textContent";

    /** Tells how to reach the demo's topics, and when it has done all but grow. */
    private static final class Watcher implements Demo.Audience {
        private final CountDownLatch isOpen = new CountDownLatch(1);
        private final CountDownLatch isShown = new CountDownLatch(1);
        private PageRequest request;

        @Override
        public AutoCloseable open(PageRequest page) {
            request = page;
            isOpen.countDown();
            return () -> {};
        }

        @Override
        public void show(DemoResult result) {
            isShown.countDown();
        }
    }

    private static PageServer serve(PageRequest request, int port) throws IOException {
        return new PageServer(
                request,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                PageAccess.open().withCommands(),
                null);
    }

    @Test
    void thePageShowsADemoAndComesBackAfterARestart() throws Exception {
        Watcher watcher = new Watcher();
        Progress.Display display =
                new Progress.Display(ProgressStyle.OFF, 0, new PrintWriter(System.err, true), System::nanoTime);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<DemoResult> demo =
                thread.submit(() -> new Demo(new DemoRequest(60_000, 4_000, "graphsage", 12, 3), display).run(watcher));
        try {
            assertThat(watcher.isOpen.await(2, TimeUnit.MINUTES)).isTrue();
            PageServer page = serve(watcher.request, 0);
            int port = page.address().getPort();
            try (Browser browser = new Browser(page.address())) {
                assertThat(watcher.isShown.await(10, TimeUnit.MINUTES)).isTrue();
                numbersAgree(browser, watcher.request);
                chartsAndVertices(browser);
                trainer(browser);
                comparison(browser);
                assertThat(browser.errors()).isEmpty();
                pictures(browser);
                commands(browser);
                assertThat(browser.errors()).isEmpty();

                page.close();
                await().atMost(PATIENCE).until(() -> browser.text("connection").startsWith("not connected"));
                page = serve(watcher.request, port);
                await().atMost(PATIENCE).until(() -> browser.text("connection").equals("live"));
                numbersAgree(browser, watcher.request);
                assertThat(browser.errors()).noneMatch(message -> message.contains("Content Security Policy"));
            } finally {
                page.close();
            }
        } finally {
            demo.cancel(true);
            thread.shutdownNow();
            thread.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    /** {@code status --json} prints the summary of this report. */
    private static void numbersAgree(Browser browser, PageRequest request) {
        QualityReader reader = new QualityReader(request.bootstrapServers(), Map.of());
        await().atMost(PATIENCE).untilAsserted(() -> {
            var status = ReportJson.summary(reader.last(request.topics()));
            for (String key : List.of(
                    "partitions",
                    "vertices",
                    "edges",
                    "deadLetters",
                    "edgeCutRatio",
                    "vertexBalance",
                    "volumeBalance",
                    "replicationFactorFullNeighbours")) {
                assertThat(browser.value(key))
                        .as(key)
                        .isEqualTo(status.path(key).doubleValue());
            }
        });
    }

    private static void chartsAndVertices(Browser browser) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (String chart : List.of("cost", "balance", "training", "throughput")) {
                assertThat((Long) browser.run("return document.querySelectorAll('#" + chart + " canvas').length"))
                        .as(chart)
                        .isEqualTo(1);
            }
        });
        assertThat(browser.text("plan-text"))
                .startsWith("done: 8 to 6 partitions;")
                .containsPattern("the plan moves [0-9.]+ % of the edges \\(budget 100.0 %\\); ");
        assertThat(browser.value("validationAccuracy")).isBetween(0.2, 1.0);
        browser.type("vertex", "17");
        await().atMost(PATIENCE)
                .until(() -> browser.text("found").matches("Vertex 17: partition .*, degree [0-9]+, class [0-9]+\\."));
        await().atMost(PATIENCE)
                .until(() -> browser.text("neighbours-text").matches("(?s)[0-9]+ vertices around 17 and [1-9].*"));
        assertThat(browser.text("moves-text")).startsWith("Vertices whose owner moved");
        for (String canvas : List.of("#moves", "#copies", "#fullness", DRAWN_VERTICES)) {
            isPainted(browser, canvas);
        }
        assertThat(browser.text("neighbours-legend")).contains("partition ");
        String other = (String) browser.run(DRAWING + ".nodes()[1].data('name')");
        browser.click(
                "neighbours-drawing",
                ((Number) browser.run(DRAWING + ".nodes()[1].renderedPosition('x')")).intValue(),
                ((Number) browser.run(DRAWING + ".nodes()[1].renderedPosition('y')")).intValue());
        await().atMost(PATIENCE).until(() -> browser.text("found").startsWith("Vertex " + other + ": "));
        await().atMost(PATIENCE).until(() -> browser.text("neighbours-text").contains(" around " + other + " and "));
    }

    private static void isPainted(Browser browser, String canvas) {
        assertThat((Long) browser.run("const c = document.querySelector('" + canvas
                        + "'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                        + " return d.filter((v, i) => i % 4 === 3 && v > 0).length"))
                .as("painted points of " + canvas)
                .isGreaterThan(500);
    }

    private static void trainer(Browser browser) {
        assertThat(browser.text("trainer-text"))
                .startsWith("Training ")
                .contains(" of graphsage: all 6 shards answered in the last round, ");
        for (String key : List.of("workers", "round", "seconds", "bytesAveraged", "trainedVertices")) {
            assertThat(browser.value(key)).as(key).isBetween(1e-3, 1e12); // NaN is not
        }
        assertThat(browser.value("shards")).isEqualTo(6);
        assertThat(browser.value("waitingShare")).isBetween(0.0, 1.0);
        assertThat(browser.value("dataSeconds")).isGreaterThanOrEqualTo(0);
        assertThat(browser.value("behind")).isBetween(0.0, 0.2);
    }

    /** The job's own point is marked among those of the algorithms. */
    private static void comparison(Browser browser) {
        browser.run("document.querySelector('#compare button').click()");
        await().atMost(PATIENCE)
                .until(() -> browser.text("compare-text").startsWith("The live algorithms on the newest "));
        assertThat(browser.text("compared"))
                .startsWith("Algorithm Edge-cut ratio Balance")
                .contains("hash 0.", "fennel 0.", "now, all edges 0.");
        assertThat(
                        (Long)
                                browser.run(
                                        "const c = document.getElementById('scatter');"
                                                + " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                                                + " const mark = getComputedStyle(document.documentElement).getPropertyValue('--two').trim();"
                                                + " const rgb = [1, 3, 5].map((i) => parseInt(mark.slice(i, i + 2), 16)); let n = 0;"
                                                + " for (let i = 0; i < d.length; i += 4) if (rgb.every((v, j) => d[i + j] === v)) n++; return n"))
                .as("points of the large mark")
                .isGreaterThan(80);
    }

    /** Asks before it sends anything; the plan that is asked for appears. */
    private static void commands(Browser browser) {
        browser.type("wanted", "6");
        assertThat(browser.text("confirm-text"))
                .isEqualTo("Plan a re-partitioning to 6 partitions, with at most 100 % of the edges moved?");
        browser.click("confirm-no");
        assertThat(browser.text("command-text")).isEqualTo("Nothing was sent.");
        browser.run("document.querySelector('#repartition button').click()");
        browser.click("confirm-yes");
        await().atMost(PATIENCE).until(() -> browser.text("command-text").startsWith("Sent."));
        await().atMost(PATIENCE).until(() -> browser.text("plan-text").startsWith("planned: 6 to 6 partitions"));
    }

    private static void pictures(Browser browser) throws IOException {
        browser.screenshot("live-page.png");
        browser.click("theme");
        browser.screenshot("live-page-dark.png");
        browser.click("theme");
        browser.resize(390, 800);
        assertThat((Long) browser.run("return document.documentElement.scrollWidth"))
                .as("nothing to scroll sideways on a phone")
                .isLessThanOrEqualTo(390);
        browser.screenshot("live-page-phone.png");
        browser.resize(1280, 1000);
    }

    /** Uses the page of a graph that has no reports yet. */
    @FunctionalInterface
    private interface PageUse {
        void of(Browser browser, KafkaProducer<byte[], byte[]> producer, Topics topics) throws Exception;
    }

    private static void onEmptyPage(Path folder, PageUse use) throws Exception {
        Topics topics = new Topics("empty.");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            String servers = broker.bootstrapServers();
            try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
                admin.ensure(topics.outputs(2));
            }
            try (PageServer page = serve(new PageRequest(servers, Map.of(), topics, Duration.ofHours(12), 0.05), 0);
                    Browser browser = new Browser(page.address());
                    KafkaProducer<byte[], byte[]> producer =
                            new KafkaProducer<>(ClientSettings.producer(servers, Map.of()))) {
                use.of(browser, producer, topics);
                assertThat(browser.errors()).isEmpty();
            }
        }
    }

    @Test
    void hoursOfReportsDoNotFillTheMemory(@TempDir Path folder) throws Exception {
        onEmptyPage(folder, (browser, producer, topics) -> {
            reports(producer, topics, 0, 10_000, browser);
            long before = browser.heap();
            reports(producer, topics, 10_000, 40_000, browser);
            assertThat(browser.heap() - before).isLessThan(4 << 20);
        });
    }

    @Test
    void worksWithTheKeyboardAndOnPaper(@TempDir Path folder) throws Exception {
        onEmptyPage(folder, (browser, producer, topics) -> {
            reports(producer, topics, 0, 100, browser);
            restarts(browser, producer, topics);
            keyboard(browser);
            printed(browser);
        });
    }

    /** A restart is a line of its own colour across the charts of the job. */
    private static void restarts(Browser browser, KafkaProducer<byte[], byte[]> producer, Topics topics) {
        List<String> charts = List.of("cost", "balance", "throughput");
        for (String chart : charts) {
            assertThat(marked(browser, chart)).as(chart).isZero();
        }
        reports(producer, topics, 0, 50, 200, browser); // seconds begin again
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (String chart : charts) {
                assertThat(marked(browser, chart)).as(chart).isGreaterThan(50);
            }
        });
    }

    /** Returns the points of a chart that have the colour of restarts. */
    private static long marked(Browser browser, String chart) {
        // A copy, because the browser warns of a canvas that is read several times.
        return (Long) browser.run("const from = document.querySelector('#" + chart + " canvas');"
                + " const c = Object.assign(document.createElement('canvas'),"
                + " { width: from.width, height: from.height }); c.getContext('2d').drawImage(from, 0, 0);"
                + " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                + " const mark = getComputedStyle(document.documentElement).getPropertyValue('--bad').trim();"
                + " const rgb = [1, 3, 5].map((i) => parseInt(mark.slice(i, i + 2), 16)); let n = 0;"
                + " for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 100"
                + " && rgb.every((v, j) => Math.abs(d[i + j] - v) < 8)) n++; return n");
    }

    /** Everything can be reached and used without a mouse. */
    private static void keyboard(Browser browser) {
        browser.press(Keys.TAB);
        assertThat(browser.run("return document.activeElement.textContent")).isEqualTo("Skip to the charts");
        browser.press(Keys.ENTER);
        assertThat(browser.focus()).isEqualTo("main");
        Set<String> reached = new LinkedHashSet<>();
        for (int i = 0; i < 40; i++) {
            browser.press(Keys.TAB);
            reached.add(browser.focus());
            if (browser.focus().equals("cost")) {
                browser.press(Keys.ARROW_LEFT);
                String last = (String) browser.run(LEGEND_TIME);
                assertThat(last).matches("[0-9]{2}:[0-9]{2}:[0-9]{2}");
                browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
                assertThat((String) browser.run(LEGEND_TIME))
                        .matches("[0-9]{2}:[0-9]{2}:[0-9]{2}")
                        .isNotEqualTo(last);
                assertThat((String) browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                        .as("the focus is visible")
                        .isEqualTo("solid");
            }
        }
        assertThat(reached)
                .containsSubsequence("cost", "balance", "throughput", "wanted", "budget", "dry-run", "last", "vertex");
        browser.run("document.querySelector('#repartition button').click()");
        assertThat(browser.focus()).as("the dialog offers No first").isEqualTo("confirm-no");
        browser.press(Keys.ESCAPE);
        assertThat(browser.run("return document.getElementById('confirm').open"))
                .isEqualTo(false);
    }

    /** On paper the page is light, without controls, and no picture is cut by the end of a page. */
    private static void printed(Browser browser) throws IOException {
        browser.click("theme");
        browser.medium("print");
        for (String selector : List.of(".controls", "#find", "#repartition", "#compare")) {
            assertThat(browser.run("return document.querySelector('" + selector + "').offsetParent"))
                    .as(selector)
                    .isNull();
        }
        assertThat(browser.run("return [...document.querySelectorAll('figure, section')].every((each) =>"
                        + " getComputedStyle(each).breakInside === 'avoid')"))
                .isEqualTo(true);
        browser.medium("");
        browser.run("window.before = 'none'; addEventListener('beforeprint',"
                + " () => { window.before = getComputedStyle(document.body).backgroundColor; })");
        byte[] pdf = browser.print("live-page.pdf");
        assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        assertThat(browser.run("return window.before")).isEqualTo("rgb(255, 255, 255)");
        assertThat(browser.run("return document.documentElement.dataset.theme"))
                .as("dark again")
                .isEqualTo("dark");
        browser.click("theme");
    }

    /** Sends a report per second of these hours, in several parts so that the page gets them in several events. */
    private static void reports(
            KafkaProducer<byte[], byte[]> producer, Topics topics, int from, int to, Browser browser) {
        reports(producer, topics, from, to, 0, browser);
    }

    /** @param later seconds by which the records are later than the reports in them say */
    private static void reports(
            KafkaProducer<byte[], byte[]> producer, Topics topics, int from, int to, int later, Browser browser) {
        int parts = 10;
        long begin = System.currentTimeMillis() - 11 * 3_600_000L;
        for (int part = 1; part <= parts; part++) {
            int end = from + (to - from) * part / parts;
            for (int second = from + (to - from) * (part - 1) / parts; second < end; second++) {
                long edges = second + 2;
                RunReport report = new RunReport(
                        "cutwater",
                        1,
                        Quality.ofEdges(
                                2,
                                edges,
                                edges,
                                0,
                                List.of(
                                        new PartitionQuality(0, edges, edges / 2),
                                        new PartitionQuality(1, edges / 3, edges - edges / 2))),
                        second,
                        1);
                producer.send(new ProducerRecord<>(
                        topics.quality(), 0, begin + (second + later) * 1_000L, null, ReportJson.toShortBytes(report)));
            }
            producer.flush();
            await().atMost(PATIENCE).until(() -> browser.value("edges") == end + 1);
        }
    }
}
