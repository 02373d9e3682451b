package io.cutwater.deploy.page.server;

import static io.cutwater.deploy.page.server.PageClient.HTTP;
import static io.cutwater.deploy.page.server.PageClient.get;
import static io.cutwater.deploy.page.server.PageClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.kafka.client.TlsEngines;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.testkit.BrokerExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Who may see the live page, and who may send commands from it. */
class PageAccessTest {
    @RegisterExtension
    static final BrokerExtension<EmbeddedBroker> BROKER =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static PageServer serve(PageTopics topics, PageAccess access) throws IOException {
        return PageClient.serve(BROKER.bootstrapServers(), topics.topics, access, null);
    }

    @Test
    void asksForCredentialsAndAllowsNoForeignContent(@TempDir Path folder) throws Exception {
        Path passwords = secret(folder.resolve("passwords"), "ann:b:c\neve:d\n");
        Path token = secret(folder.resolve("token"), "t0ken\n");
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "access.", false);
                PageServer page = serve(written, PageAccess.of(passwords, token))) {
            for (String path : new String[] {"/", "/events", "/api/state", "/page.js", "/none"}) {
                HttpResponse<String> refused = get(page, path);
                assertThat(refused.statusCode()).as(path).isEqualTo(401);
                assertThat(refused.headers().allValues("WWW-Authenticate"))
                        .containsExactly("Basic realm=\"Cutwater\", charset=\"UTF-8\"", "Bearer realm=\"Cutwater\"");
            }
            assertThat(get(page, "/", "Authorization", basic("ann:wrong")).statusCode())
                    .isEqualTo(401);
            assertThat(get(page, "/", "Authorization", "Bearer ann:b:c").statusCode())
                    .isEqualTo(401);
            assertThat(get(page, "/", "Authorization", basic("ann:b:c")).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> allowed = get(page, "/", "Authorization", "Bearer t0ken");
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'", "script-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(allowed.body()).contains("<title>Cutwater</title>").doesNotContain("://");
            HttpRequest write = HttpRequest.newBuilder(page.address())
                    .header("Authorization", "Bearer t0ken")
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(HTTP.send(write, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(405);
        }
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> PageAccess.of(null, token)).hasMessageEndingWith("run chmod 600 " + token);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> PageAccess.of(null, token)).hasMessageEndingWith("run chmod 600 " + token);
        if (System.getProperty("user.name").equals("root")) { // who alone can give files away
            Files.setOwner(
                    token, token.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            assertThat(PageAccess.of(null, token).isRestricted()).isTrue();
        }
    }

    @Test
    void speaksTls(@TempDir Path folder) throws Exception {
        FlinkKey key = new FlinkKey(folder.resolve("key"));
        key.create();
        Path tls = Files.writeString(
                folder.resolve("tls"),
                "ssl.keystore.type=PKCS12\nssl.keystore.location=%s\nssl.keystore.password=%s\n"
                        .formatted(
                                key.store(),
                                Files.readString(key.passwordFile()).strip()));
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "tls.", false);
                PageServer page = PageClient.serve(
                        BROKER.bootstrapServers(),
                        written.topics,
                        PageAccess.open(),
                        TlsEngines.serverContext("--tls", tls))) {
            assertThat(page.address().getScheme()).isEqualTo("https");
            HttpRequest request =
                    HttpRequest.newBuilder(page.address().resolve("/api/state")).build();
            HttpClient trusting = HttpClient.newBuilder()
                    .sslContext(key.credentials().sslContext())
                    .build();
            assertThat(trusting.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("\"sentence\"");
            assertThatThrownBy(() -> HTTP.send(request, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    private static Path secret(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> post(PageServer page, String body, String... headers) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(page.address().resolve("/api/commands"))
                        .headers(headers)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void sendsCommandsOfItsOwnPageOnlyIfViewersMay() throws Exception {
        String command = "{\"op\":\"repartition\",\"id\":\"x\",\"partitions\":6,\"budget\":0.5,\"dryRun\":true}";
        String[] type = {"Content-Type", "application/json"};
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "commands.", true)) {
            try (PageServer page = serve(written, PageAccess.open())) {
                assertThat(json(page, "/api/commands").toString()).isEqualTo("{\"isAllowed\":false,\"token\":\"\"}");
                assertThat(post(page, command, type).statusCode()).isEqualTo(405);
            }
            try (PageServer page = serve(written, PageAccess.open().withCommands())) {
                String token = json(page, "/api/commands").path("token").asText();
                String[] mine = {type[0], type[1], PageCommands.TOKEN_HEADER, token};
                assertThat(token).hasSize(43);
                assertThat(post(page, command, type).statusCode()).isEqualTo(403);
                assertThat(post(page, command, type[0], type[1], PageCommands.TOKEN_HEADER, "x" + token.substring(1))
                                .statusCode())
                        .isEqualTo(403);
                assertThat(post(page, command, "Content-Type", "text/plain", PageCommands.TOKEN_HEADER, token)
                                .statusCode())
                        .isEqualTo(415);
                for (String[] foreign : new String[][] {
                    {"Origin", "https://page.example"},
                    {"Sec-Fetch-Site", "cross-site"},
                    {"Sec-Fetch-Site", "same-site"}
                }) {
                    assertThat(post(page, command, mine[0], mine[1], mine[2], mine[3], foreign[0], foreign[1])
                                    .statusCode())
                            .as(foreign[0])
                            .isEqualTo(403);
                }
                HttpResponse<String> wrong = post(page, command.replace("0.5", "2"), mine);
                assertThat(wrong.statusCode()).isEqualTo(400);
                assertThat(wrong.body()).contains("budget must be above 0 and at most 1");
                assertThat(post(page, command + " ".repeat(5_000), mine).statusCode())
                        .isEqualTo(413);
                assertThat(written.commands(BROKER.bootstrapServers())).isEmpty();

                HttpResponse<String> sent = post(
                        page,
                        command,
                        mine[0],
                        mine[1],
                        mine[2],
                        mine[3],
                        "Origin",
                        page.address().toString().replaceFirst("/$", ""),
                        "Sec-Fetch-Site",
                        "same-origin");
                assertThat(sent.statusCode()).as(sent.body()).isEqualTo(202);
                assertThat(post(page, "{\"op\":\"abort\",\"id\":\"x\"}", mine).body())
                        .isEqualTo("{\"id\":\"x\"}");
                assertThat(written.commands(BROKER.bootstrapServers()))
                        .containsExactly(
                                new JobCommand.Repartition("x", 6, 0.5, Long.MAX_VALUE, true),
                                new JobCommand.Abort("x"));
            }
        }
    }

    @Test
    void doesNotWorkForPagesOfOtherSites() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "sites.", false);
                PageServer page = serve(written, PageAccess.open())) {
            for (String path : List.of(
                    "/api/compare?last=10", "/api/neighbours?id=1", "/api/vertex?id=1", "/api/state", "/events")) {
                for (String site : List.of("cross-site", "same-site")) {
                    HttpResponse<String> refused = get(page, path, "Sec-Fetch-Site", site);
                    assertThat(refused.statusCode()).as(path).isEqualTo(403);
                    assertThat(refused.body())
                            .isEqualTo("{\"error\":\"only pages of this server may ask for %s\"}"
                                    .formatted(path.replaceFirst("\\?.*", "")));
                }
            }
            assertThat(get(page, "/api/state", "Sec-Fetch-Site", "same-origin").statusCode())
                    .isEqualTo(200);
            // A link on another site leads to the page.
            assertThat(get(page, "/", "Sec-Fetch-Site", "cross-site").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void refusesTheNamesOfWebSites() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "names.", false);
                PageServer page = serve(written, PageAccess.open())) {
            assertThat(status(page, "localhost:1")).contains(" 200 ");
            assertThat(status(page, "[::1]")).contains(" 200 ");
            assertThat(status(page, "localhost.example.org")).contains(" 421 ");
        }
    }

    /** The client of the JDK does not send another host than that of the address. */
    private static String status(PageServer page, String host) throws IOException {
        try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), page.address().getPort());
                OutputStream out = socket.getOutputStream()) {
            out.write("GET /api/state HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                    .formatted(host)
                    .getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
