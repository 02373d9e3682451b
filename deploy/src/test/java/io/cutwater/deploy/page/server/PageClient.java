package io.cutwater.deploy.page.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A client of HTTP that asks a page. */
final class PageClient {
    static final Duration PATIENCE = Duration.ofMinutes(1);
    static final ObjectMapper JSON = new ObjectMapper();
    static final HttpClient HTTP = HttpClient.newHttpClient();

    private PageClient() {}

    /** Serves the page of topics on a free port of the loopback interface. */
    static PageServer serve(String bootstrapServers, Topics topics, PageAccess access, @Nullable SSLContext tls)
            throws IOException {
        return new PageServer(
                new PageRequest(bootstrapServers, Map.of(), topics, Duration.ofHours(1), 0.05),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                access,
                tls);
    }

    static HttpResponse<String> get(PageServer page, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(page.address().resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static JsonNode json(PageServer page, String path) throws Exception {
        return JSON.readTree(get(page, path).body());
    }
}
