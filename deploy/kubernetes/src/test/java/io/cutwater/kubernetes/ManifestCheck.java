package io.cutwater.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validates Kubernetes documents without a cluster. Core kinds, Prometheus' and Strimzi's are read into their model
 * classes, a {@code FlinkDeployment} is compared with the schema of its CRD. Unknown fields are errors in all of them.
 */
final class ManifestCheck {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Map<String, Class<?>> MODELS = Map.of(
            "v1/ConfigMap", ConfigMap.class,
            "v1/Service", Service.class,
            "v1/ServiceAccount", ServiceAccount.class,
            "apps/v1/Deployment", Deployment.class,
            "apps/v1/StatefulSet", StatefulSet.class,
            "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
            "monitoring.coreos.com/v1/PodMonitor", PodMonitor.class,
            "monitoring.coreos.com/v1/PrometheusRule", PrometheusRule.class,
            "kafka.strimzi.io/v1/KafkaTopic", KafkaTopic.class,
            "kafka.strimzi.io/v1/KafkaUser", KafkaUser.class);

    private static final String CRD = "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";
    /** Fields in which models keep what they do not know. */
    private static final Set<String> UNKNOWN = Set.of("additionalProperties", "unknownProperties");

    private final JsonSchema flinkDeployment = schema();

    /** The documents of a stream, without empty ones. */
    static List<JsonNode> documents(String yaml) throws IOException {
        return YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml).readAll().stream()
                .filter(JsonNode::isObject)
                .toList();
    }

    /** Returns the faults of each document of a stream, with its kind and name. */
    List<String> problems(String yaml) throws IOException {
        List<String> problems = new ArrayList<>();
        for (JsonNode document : documents(yaml)) {
            String kind = document.path("apiVersion").asText() + "/"
                    + document.path("kind").asText();
            String place = kind + " " + document.path("metadata").path("name").asText() + ": ";
            if (kind.equals("flink.apache.org/v1beta1/FlinkDeployment")) {
                flinkDeployment.validate(document).forEach(message -> problems.add(place + message.getMessage()));
            } else if (MODELS.containsKey(kind)) {
                try {
                    unknown(YAML.treeToValue(document, MODELS.get(kind)), "", new IdentityHashMap<>())
                            .forEach(field -> problems.add(place + "unknown field " + field));
                } catch (IOException e) {
                    problems.add(place + e.getMessage());
                }
            } else {
                problems.add(place + "nothing here knows this kind");
            }
        }
        return problems;
    }

    private static List<String> unknown(Object value, String path, IdentityHashMap<Object, Object> seen) {
        List<String> found = new ArrayList<>();
        if (value == null || seen.put(value, value) != null) {
            return found;
        }
        if (value instanceof Collection<?> items) {
            items.forEach(item -> found.addAll(unknown(item, path + "[]", seen)));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> found.addAll(unknown(item, path + "." + key, seen)));
        } else if (isModel(value.getClass())) {
            for (Class<?> type = value.getClass(); isModel(type); type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        Object content = get(field, value);
                        if (UNKNOWN.contains(field.getName()) && content instanceof Map<?, ?> map) {
                            map.keySet().forEach(key -> found.add(path + "." + key));
                        } else {
                            found.addAll(unknown(content, path + "." + field.getName(), seen));
                        }
                    }
                }
            }
        }
        return found;
    }

    private static boolean isModel(Class<?> type) {
        return (type.getName().startsWith("io.fabric8.") || type.getName().startsWith("io.strimzi.")) && !type.isEnum();
    }

    private static Object get(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " cannot be read", e);
        }
    }

    private static JsonSchema schema() {
        try (InputStream file = ManifestCheck.class.getResourceAsStream(CRD)) {
            ObjectNode schema = (ObjectNode) YAML.readTree(file)
                    .path("spec")
                    .path("versions")
                    .path(0)
                    .path("schema")
                    .path("openAPIV3Schema");
            // Every resource has these three.
            ObjectNode fields = (ObjectNode) schema.path("properties");
            fields.putObject("apiVersion").put("type", "string");
            fields.putObject("kind").put("type", "string");
            fields.putObject("metadata").put("type", "object");
            refuseUnknownFields(schema);
            // The newest CRDs on Maven Central are those of 1.10.0. Version 1.16 is the first that knows Flink 2.3.
            ArrayNode versions = (ArrayNode)
                    schema.at("/properties/spec/properties/flinkVersion").path("enum");
            versions.add("v2_3");
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void refuseUnknownFields(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.path("x-kubernetes-preserve-unknown-fields").asBoolean()
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(ManifestCheck::refuseUnknownFields);
    }
}
