package io.cutwater.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.cutwater.state.PublicApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The types that users may program against are marked, listed and complete. */
class PublicApiTest {
    private static final Pattern LISTED = Pattern.compile("^\\| `(io\\.cutwater\\.[\\w.]+)` \\|", Pattern.MULTILINE);

    private static final List<JavaClass> MARKED = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.cutwater").stream()
                    .filter(type -> type.isAnnotatedWith(PublicApi.class))
                    .toList();

    @Test
    void thePageListsTheMarkedTypes() throws IOException {
        Path page = MarkdownFiles.all().stream()
                .filter(file -> file.endsWith("reference/public-api.md"))
                .findFirst()
                .orElseThrow();
        List<String> listed = LISTED.matcher(Files.readString(page))
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(
                        MARKED.stream().map(JavaClass::getName).toList());
    }

    @Test
    void whatUsersImplementNeedsMarkedTypesOnly() {
        assertThat(MARKED)
                .filteredOn(JavaClass::isInterface)
                .flatExtracting(JavaClass::getMethods)
                .allSatisfy(method -> assertThat(typesOf(method)).allMatch(PublicApiTest::isForUsers));
    }

    private static Stream<JavaClass> typesOf(JavaMethod method) {
        return Stream.concat(Stream.of(method.getRawReturnType()), method.getRawParameterTypes().stream())
                .map(JavaClass::getBaseComponentType);
    }

    private static boolean isForUsers(JavaClass type) {
        JavaClass outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        return !outermost.getPackageName().startsWith("io.cutwater") || MARKED.contains(outermost);
    }
}
