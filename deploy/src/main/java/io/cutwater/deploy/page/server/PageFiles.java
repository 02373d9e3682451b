package io.cutwater.deploy.page.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The files of the page, from the class path: our own, and those of the library for charts. */
final class PageFiles {
    private static final String OURS = "/io/cutwater/deploy/page/";
    private static final String LIBRARY = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final String LIBRARY_FILES = "/META-INF/resources/webjars/uplot/%s/dist/";

    private final Map<String, StaticFile> files = new HashMap<>();

    /** Bytes and their media type. */
    @SuppressWarnings("ArrayRecordComponent") // passed on and not compared
    record StaticFile(byte[] bytes, String type) {}

    PageFiles() throws IOException {
        Properties library = new Properties();
        try (InputStream in = open(LIBRARY)) {
            library.load(in);
        }
        String charts = LIBRARY_FILES.formatted(library.getProperty("version"));
        put("/", OURS + "page.html", "text/html; charset=utf-8");
        put("/page.css", OURS + "page.css", "text/css; charset=utf-8");
        put("/page.js", OURS + "page.js", "text/javascript; charset=utf-8");
        put("/charts.js", OURS + "charts.js", "text/javascript; charset=utf-8");
        put("/icon.svg", OURS + "icon.svg", "image/svg+xml");
        put("/uplot.js", charts + "uPlot.iife.min.js", "text/javascript; charset=utf-8");
        put("/uplot.css", charts + "uPlot.min.css", "text/css; charset=utf-8");
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
