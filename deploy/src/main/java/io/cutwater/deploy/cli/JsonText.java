package io.cutwater.deploy.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** One JSON document on standard output. */
final class JsonText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonText() {}

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static ArrayNode array() {
        return JSON.createArrayNode();
    }

    static void print(PrintWriter out, ObjectNode document) {
        out.println(document.toPrettyString());
        out.flush();
    }
}
