package io.cutwater.deploy.page.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.kafka.command.JobCommandJson;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.repartition.live.JobCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;

/**
 * Commands of viewers to the job, in the JSON of topic {@code commands}. Other web sites cannot send any: each needs a
 * token that only pages of this server can read, and must not come from another origin.
 */
final class PageCommands {
    static final String TOKEN_HEADER = "X-Cutwater-Token";

    private static final int LONGEST = 4_096;

    private final PageRequest request;
    private final String token;

    PageCommands(PageRequest request) {
        this.request = request;
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        token = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** Returns the token that a command must carry. */
    String token() {
        return token;
    }

    /** A refused command, with the HTTP status and a sentence for the viewer. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;
        private final int status;

        RefusedException(int status, String sentence) {
            super(sentence);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /**
     * Sends the command of a request, and returns when the broker has it; topic {@code plans} says what becomes of it.
     *
     * @throws RefusedException if the request is not from this page, is no command, or the broker does not take it
     */
    JobCommand send(HttpExchange exchange) throws IOException, RefusedException {
        requireOwnPage(exchange.getRequestHeaders());
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST + 1);
        if (body.length > LONGEST) {
            throw new RefusedException(413, "a command has at most %,d bytes".formatted(LONGEST));
        }
        JobCommand command;
        try {
            command = JobCommandJson.read(body);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(400, String.valueOf(e.getMessage()));
        }
        try (PlanTopics plans =
                new PlanTopics(request.bootstrapServers(), request.clientProperties(), request.topics())) {
            plans.send(command);
        } catch (BrokerException e) {
            throw new RefusedException(503, String.valueOf(e.getMessage()));
        }
        return command;
    }

    private void requireOwnPage(Headers headers) throws RefusedException {
        String type = header(headers, "Content-Type").toLowerCase(Locale.ROOT);
        if (!type.startsWith("application/json")) {
            throw new RefusedException(415, "a command is JSON; send it with Content-Type: application/json");
        }
        byte[] given = header(headers, TOKEN_HEADER).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(token.getBytes(StandardCharsets.UTF_8), given)) {
            throw new RefusedException(
                    403, "header %s must have the token of GET /api/commands".formatted(TOKEN_HEADER));
        }
        String site = header(headers, "Sec-Fetch-Site");
        String origin = header(headers, "Origin");
        boolean isForeign = !site.isEmpty() && !site.equals("same-origin")
                || !origin.isEmpty() && !origin.replaceFirst("^https?://", "").equals(header(headers, "Host"));
        if (isForeign) {
            throw new RefusedException(403, "a command must come from this page");
        }
    }

    private static String header(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }
}
