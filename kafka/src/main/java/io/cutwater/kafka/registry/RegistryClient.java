package io.cutwater.kafka.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.kafka.field.MalformedBytesException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a registry for schemas: {@code /schemas/ids}, {@code /schemas/guids} and {@code /subjects} of Confluent's API,
 * {@code /ids} of Apicurio's.
 */
final class RegistryClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String CONTENT = "/content";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** The longest answer that is read. */
    private static final int MAX_BYTES = 8 << 20;

    private final RegistryAddress address;
    private final HttpClient http;
    private final String authorization;

    /** @throws IllegalArgumentException if the file of the address cannot be used; the message is meant for users */
    RegistryClient(RegistryAddress address) {
        this.address = address;
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        authorization = RegistrySecurity.apply(address.propertiesFile(), client).authorization();
        http = client.build();
    }

    /**
     * Returns a schema; null if the registry says that it has none of this name.
     *
     * @throws RegistryUnavailableException if it does not answer, or refuses to
     * @throws MalformedBytesException if its API has no such names
     */
    @Nullable RegisteredSchema schema(SchemaId id) throws RegistryUnavailableException, InterruptedException {
        if (address.isApicurio()) {
            return switch (id.kind()) {
                case CONTENT_ID -> content("/ids/contentIds/" + id.number(), "");
                case GLOBAL_ID -> content("/ids/globalIds/" + id.number(), "");
                case ID, GUID ->
                    throw new MalformedBytesException(
                            "%s is of Confluent's API; give --schema-registry the address of that one, with Apicurio …/apis/ccompat/v7"
                                    .formatted(id));
            };
        }
        return switch (id.kind()) {
            case ID, CONTENT_ID -> described("/schemas/ids/" + id.number());
            case GUID -> described("/schemas/guids/" + id.guid());
            case GLOBAL_ID ->
                throw new MalformedBytesException(
                        "%s is of Apicurio's API; give --schema-registry the address of that one, …/apis/registry/v3"
                                .formatted(id));
        };
    }

    /** Returns the newest schema of a subject; null if there is no such subject. */
    @Nullable RegisteredSchema newest(String subject) throws RegistryUnavailableException, InterruptedException {
        return address.isApicurio()
                ? content("/groups/default/artifacts/%s/versions/branch=latest".formatted(escaped(subject)), CONTENT)
                : described("/subjects/%s/versions/latest".formatted(escaped(subject)));
    }

    /** Returns a schema that another one uses; null if it is gone. */
    @Nullable RegisteredSchema referenced(RegisteredSchema.Reference reference)
            throws RegistryUnavailableException, InterruptedException {
        return address.isApicurio()
                ? content(reference.path(), address.hasLongIds() ? "" : CONTENT)
                : described(reference.path());
    }

    private static String escaped(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** @param suffix what the address of the text has behind the path; that of the references is beside it */
    private @Nullable RegisteredSchema content(String path, String suffix)
            throws RegistryUnavailableException, InterruptedException {
        byte[] text = get(path + suffix);
        if (text == null) {
            return null;
        }
        byte[] answer = get(path + "/references");
        JsonNode json = answer == null ? null : parsed(answer);
        List<RegisteredSchema.Reference> references = new ArrayList<>();
        if (json != null) {
            for (JsonNode reference : json) {
                references.add(new RegisteredSchema.Reference(
                        reference.path("name").asText(),
                        "/groups/%s/artifacts/%s/versions/%s"
                                .formatted(
                                        escaped(reference.path("groupId").asText("default")),
                                        escaped(reference.path("artifactId").asText()),
                                        escaped(reference.path("version").asText()))));
            }
        }
        return new RegisteredSchema(new String(text, StandardCharsets.UTF_8), "", references);
    }

    private @Nullable RegisteredSchema described(String path)
            throws RegistryUnavailableException, InterruptedException {
        byte[] answer = get(path);
        if (answer == null) {
            return null;
        }
        JsonNode json = parsed(answer);
        if (json == null || !json.path("schema").isTextual()) {
            throw unavailable("its answer to %s is no schema; check the address".formatted(path));
        }
        List<RegisteredSchema.Reference> references = new ArrayList<>();
        for (JsonNode reference : json.path("references")) {
            references.add(new RegisteredSchema.Reference(
                    reference.path("name").asText(),
                    "/subjects/%s/versions/%d"
                            .formatted(
                                    escaped(reference.path("subject").asText()),
                                    reference.path("version").asInt())));
        }
        return new RegisteredSchema(
                json.path("schema").asText(), json.path("schemaType").asText("AVRO"), references);
    }

    /** Returns an answer; null if the registry itself says that it has no such thing. */
    private byte @Nullable [] get(String path) throws RegistryUnavailableException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.url() + path))
                .timeout(TIMEOUT)
                .header("Accept", "application/vnd.schemaregistry.v1+json, application/json, */*");
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        int status;
        byte[] answer;
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            status = response.statusCode();
            try (InputStream body = response.body()) {
                answer = body.readNBytes(MAX_BYTES + 1);
            }
        } catch (IOException e) {
            throw unavailable("it does not answer (%s)"
                    .formatted(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
        }
        if (answer.length > MAX_BYTES) {
            throw unavailable("its answer to %s is longer than %d MiB".formatted(path, MAX_BYTES >> 20));
        }
        if (status == OK) {
            return answer;
        }
        if (status == NOT_FOUND && isAnswerOfRegistry(answer)) {
            return null;
        }
        throw unavailable(
                status == UNAUTHORIZED || status == FORBIDDEN
                        ? "it refuses the credentials (HTTP status %d); correct %s"
                                .formatted(status, RegistrySecurity.OPTION)
                        : "it answers %s with HTTP status %d".formatted(path, status));
    }

    /** Returns whether an answer tells an error of a registry; another server at the address knows no schema at all. */
    private static boolean isAnswerOfRegistry(byte[] answer) {
        JsonNode json = parsed(answer);
        return json != null && json.has("error_code") || json != null && json.has("name") && json.has("status");
    }

    private static @Nullable JsonNode parsed(byte[] answer) {
        try {
            return JSON.readTree(answer);
        } catch (IOException e) { // it is no JSON
            return null;
        }
    }

    private RegistryUnavailableException unavailable(String problem) {
        return new RegistryUnavailableException(
                "the schema registry at %s cannot be used: %s".formatted(address, problem));
    }
}
