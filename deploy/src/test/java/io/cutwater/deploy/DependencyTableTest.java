package io.cutwater.deploy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of modules in the README holds in the code. */
class DependencyTableTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("testkit")) // fixtures of tests, for every module
            .importPackages("io.cutwater");

    private static final String STATE = "io.cutwater.state..";
    private static final String KAFKA = "io.cutwater.kafka..";
    private static final String FORMAT = "io.cutwater.format..";
    private static final String FLINK_JOBS = "io.cutwater.flink..";
    private static final String TRAINER = "io.cutwater.trainer..";
    private static final String DEPLOY = "io.cutwater.deploy..";

    @Test
    void everyModuleIsLookedAt() {
        for (String module : new String[] {"state", "kafka", "format", "flink", "trainer", "deploy"}) {
            assertThat(CLASSES)
                    .as(module)
                    .anyMatch(type -> type.getPackageName().startsWith("io.cutwater." + module));
        }
    }

    @Test
    void stateImportsTheJdkOnly() {
        check(classes()
                .that()
                .resideInAPackage(STATE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(STATE, "java..", "org.jspecify.annotations.."));
    }

    @Test
    void kafkaImportsStateAndNoFlink() {
        check(noClasses()
                .that()
                .resideInAnyPackage(KAFKA, FORMAT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FLINK_JOBS, TRAINER, DEPLOY, "org.apache.flink.."));
    }

    @Test
    void formatsImportNoKafka() {
        check(noClasses()
                .that()
                .resideInAPackage(FORMAT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KAFKA, "org.apache.kafka..", "kafka.."));
    }

    @Test
    void flinkJobsDoNotReachForTrainerAndDeploy() {
        check(noClasses()
                .that()
                .resideInAPackage(FLINK_JOBS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TRAINER, DEPLOY));
    }

    @Test
    void theTrainerImportsStateAndKafkaOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(TRAINER)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FLINK_JOBS, DEPLOY));
    }

    @Test
    void flinkIsImportedInFlinkJobsOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(FLINK_JOBS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink.."));
    }

    @Test
    void kafkaClientsAreImportedInKafkaAndTheConnectorOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(KAFKA, "io.cutwater.flink.connector..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "kafka.."));
    }

    @Test
    void whatTalksToPeopleIsImportedInDeployOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(DEPLOY)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "me.tongfei..", "org.knowm..", "de.erichseifert.."));
    }

    @Test
    void djlIsImportedInTheTrainerOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.cutwater.trainer.bridge..",
                        "io.cutwater.trainer.torch..",
                        "io.cutwater.trainer.model..",
                        "io.cutwater.trainer.training..",
                        "io.cutwater.trainer.launch..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.djl.."));
    }

    @Test
    void noSimpleClassNameOccursTwice() {
        Map<String, Long> counts = CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getSimpleName, Collectors.counting()));
        counts.values().removeIf(count -> count == 1);
        assertThat(counts).isEmpty();
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.cutwater.(**)").should().beFreeOfCycles());
    }

    @Test
    void stateKnowsNoTimeAndNoRandomnessWithoutASeed() {
        check(noClasses()
                .that()
                .resideInAPackage(STATE)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, ThreadLocalRandom.class, Clock.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis"));
    }

    @Test
    void onlyAMainEndsTheProcess() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.cutwater.deploy.cli.Cutwater")
                .should()
                .callMethod(System.class, "exit", int.class));
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }
}
