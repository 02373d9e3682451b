package io.cutwater.state.algorithm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the algorithms of jars on the class path.
 *
 * <p>It asks the class loader of the thread and that of Cutwater itself. On a Flink cluster both are the job's own
 * loader, which has the jars that came with the job; in a process that the launcher started both are Java's. Nothing is
 * cached, because another job in the same process may see other jars.
 */
final class AlgorithmsOfJars {
    private final List<Algorithm> found = new ArrayList<>();
    private final Map<String, String> origins = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    private AlgorithmsOfJars(List<Algorithm> own) {
        own.forEach(algorithm -> origins.put(key(algorithm), "Cutwater's own"));
    }

    /** @throws IllegalStateException if one cannot be loaded or takes another one's name */
    static List<Algorithm> find(List<Algorithm> own) {
        AlgorithmsOfJars jars = new AlgorithmsOfJars(own);
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        if (knowsProviders(ofThread)) {
            jars.addFrom(ofThread);
        }
        jars.addFrom(AlgorithmProvider.class.getClassLoader());
        return jars.found;
    }

    /** A loader that has a copy of Cutwater provides algorithms of that copy, which this one cannot use. */
    private static boolean knowsProviders(@Nullable ClassLoader loader) {
        try {
            return loader != null
                    && Class.forName(AlgorithmProvider.class.getName(), false, loader) == AlgorithmProvider.class;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private void addFrom(@Nullable ClassLoader loader) {
        try {
            ServiceLoader.load(AlgorithmProvider.class, loader).stream()
                    .filter(provider -> seen.add(provider.type().getName()))
                    .forEach(provider -> add(provider.get()));
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalStateException(
                    "a jar on the class path names a class for %s that cannot be loaded; mend it or leave it out: %s"
                            .formatted(AlgorithmProvider.class.getSimpleName(), e.getMessage()),
                    e);
        }
    }

    private void add(AlgorithmProvider provider) {
        Algorithm algorithm;
        try {
            algorithm = provider.algorithm();
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("%s: %s".formatted(origin(provider), e.getMessage()), e);
        }
        String other = origins.putIfAbsent(key(algorithm), origin(provider));
        if (other != null) {
            throw new IllegalStateException(
                    "two %s algorithms are named '%s': %s, and %s; give one of them another name"
                            .formatted(algorithm.kind().label(), algorithm.name(), other, origin(provider)));
        }
        found.add(algorithm);
    }

    private static String key(Algorithm algorithm) {
        return algorithm.kind().label() + ' ' + algorithm.name();
    }

    private static String origin(AlgorithmProvider provider) {
        Class<?> type = provider.getClass();
        var source = type.getProtectionDomain().getCodeSource();
        return source == null ? type.getName() : type.getName() + " in " + source.getLocation();
    }
}
