package io.cutwater.deploy.page.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The files of the page, from the class path: our own, and those of the libraries for charts and graphs. */
final class PageFiles {
    private static final String OURS = "/io/cutwater/deploy/page/";
    private static final String LIBRARY = "/META-INF/maven/org.webjars.npm/%s/pom.properties";
    private static final String LIBRARY_FILES = "/META-INF/resources/webjars/%s/%s/dist/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private final Map<String, StaticFile> files = new HashMap<>();

    /** Bytes and their media type. */
    @SuppressWarnings("ArrayRecordComponent") // passed on and not compared
    record StaticFile(byte[] bytes, String type) {}

    PageFiles() throws IOException {
        String charts = library("uplot");
        put("/", OURS + "page.html", "text/html; charset=utf-8");
        put("/page.css", OURS + "page.css", STYLE);
        put("/page.js", OURS + "page.js", SCRIPT);
        put("/charts.js", OURS + "charts.js", SCRIPT);
        put("/graph.js", OURS + "graph.js", SCRIPT);
        put("/icon.svg", OURS + "icon.svg", "image/svg+xml");
        put("/uplot.js", charts + "uPlot.iife.min.js", SCRIPT);
        put("/uplot.css", charts + "uPlot.min.css", STYLE);
        put("/cytoscape.js", library("cytoscape") + "cytoscape.min.js", SCRIPT);
    }

    /** Returns the folder of a library's files, which has its version in its name. */
    private static String library(String name) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = open(LIBRARY.formatted(name))) {
            properties.load(in);
        }
        return LIBRARY_FILES.formatted(name, properties.getProperty("version"));
    }

    private void put(String path, String resource, String type) throws IOException {
        try (InputStream in = open(resource)) {
            files.put(path, new StaticFile(in.readAllBytes(), type));
        }
    }

    private static InputStream open(String resource) throws IOException {
        InputStream in = PageFiles.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IOException("%s is not on the class path; build the project again".formatted(resource));
        }
        return in;
    }

    @Nullable StaticFile get(String path) {
        return files.get(path);
    }
}
