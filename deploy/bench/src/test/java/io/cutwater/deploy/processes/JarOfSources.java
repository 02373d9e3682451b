package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles sources against the class path of the tests, into a jar with services. */
final class JarOfSources {
    private final Path folder;
    private final Path sources;
    private final List<String> files = new ArrayList<>();
    private final Map<String, String> services = new TreeMap<>();

    JarOfSources(Path folder) throws IOException {
        this.folder = folder;
        sources = Files.createDirectories(folder.resolve("sources"));
    }

    JarOfSources add(String name, String source) throws IOException {
        Path file = sources.resolve(name);
        Files.createDirectories(file.getParent());
        files.add(Files.writeString(file, source).toString());
        return this;
    }

    JarOfSources provide(Class<?> type, String... classNames) {
        services.put("META-INF/services/" + type.getName(), String.join("\n", classNames) + "\n");
        return this;
    }

    Path write(String name) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        arguments.addAll(files);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        Path jar = folder.resolve(name);
        try (OutputStream bytes = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(bytes);
                Stream<Path> compiled = Files.walk(classes)) {
            for (Path file : compiled.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
            for (Map.Entry<String, String> service : services.entrySet()) {
                out.putNextEntry(new JarEntry(service.getKey()));
                out.write(service.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }
}
