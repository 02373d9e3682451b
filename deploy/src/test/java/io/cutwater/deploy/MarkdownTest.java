package io.cutwater.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links and form of the Markdown files. */
class MarkdownTest {
    private static final int MAX_LINE = 120;
    private static final int MAX_README = 150;
    /** The target of a link or picture. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");

    @Test
    void relativeLinksResolve() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path file : MarkdownFiles.all()) {
            for (String line : MarkdownFiles.prose(file)) {
                Matcher link = LINK.matcher(INLINE_CODE.matcher(line).replaceAll("x"));
                while (link.find()) {
                    links++;
                    if (!resolves(file, link.group(1))) {
                        broken.add(shown(file) + ": " + link.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(100);
    }

    private static boolean resolves(Path file, String target) {
        if (ELSEWHERE.matcher(target).matches()) {
            return true;
        }
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path linked = path.isEmpty() ? file : file.resolveSibling(path).normalize();
        return Files.exists(linked) && (hash < 0 || anchors(linked).contains(target.substring(hash + 1)));
    }

    /** As GitHub makes them of headings. */
    private static List<String> anchors(Path file) {
        return MarkdownFiles.prose(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void linesOfProseAreShort() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : MarkdownFiles.all()) {
            for (String line : MarkdownFiles.prose(file)) {
                if (line.length() > MAX_LINE && !line.startsWith("|")) {
                    tooLong.add(shown(file) + ": " + line);
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(MarkdownFiles.root().resolve("README.md")))
                .hasSizeLessThan(MAX_README);
    }

    private static String shown(Path file) {
        return MarkdownFiles.root().relativize(file).toString();
    }
}
