package io.cutwater.state.algorithm;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The partitioners of one kind by name: Cutwater's own, and those of jars on the class path.
 *
 * <p>Jars are looked for with the class loader of the thread and with that of Cutwater itself. On a Flink cluster both
 * are the job's own loader, which has the jars that came with the job; in a process that the launcher started both are
 * Java's. What was found is not kept, for another job in the same process may see other jars.
 *
 * @param <P> what a jar provides
 */
public final class PartitionerCatalog<P extends PartitionerProvider> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._]*");

    private final Class<P> type;
    private final String kind;
    private final List<P> own;

    /**
     * @param type the interface that a jar's class implements
     * @param kind what users are told it is, such as {@code edge partitioner}
     * @param own Cutwater's
     */
    public PartitionerCatalog(Class<P> type, String kind, List<? extends P> own) {
        this.type = type;
        this.kind = kind;
        this.own = List.copyOf(own);
    }

    /**
     * The names that {@link #get} knows, sorted.
     *
     * @throws IllegalStateException with a sentence, if a jar's partitioner cannot be loaded or has no name of its own
     */
    public List<String> names() {
        return List.copyOf(providers().keySet());
    }

    /** The provider of that name; null if there is none. */
    public @Nullable P find(String name) {
        return providers().get(name);
    }

    /** Whether there is such an algorithm and it has such a setting. */
    public boolean hasSetting(String name, String setting) {
        P provider = find(name);
        return provider != null
                && provider.settings().stream().anyMatch(known -> known.name().equals(setting));
    }

    /**
     * The provider that was asked for, once it is sure that it has all of the settings.
     *
     * @throws IllegalArgumentException with a sentence, if there is none of that name or it lacks a setting
     */
    public P get(PartitionerOptions options) {
        Map<String, P> providers = providers();
        P provider = providers.get(options.algorithm());
        if (provider == null) {
            throw new IllegalArgumentException("there is no %s named '%s'; there are %s"
                    .formatted(kind, options.algorithm(), String.join(", ", providers.keySet())));
        }
        Setting.refuseUnknown(options, provider.settings());
        return provider;
    }

    private Map<String, P> providers() {
        Map<String, P> providers = new TreeMap<>();
        for (P provider : own) {
            providers.put(provider.name(), provider);
        }
        for (P provider : fromJars()) {
            String name = provider.name();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalStateException(
                        "the %s %s is named '%s'; a name is made of letters, digits, '-', '.' and '_'"
                                .formatted(kind, place(provider), name));
            }
            P other = providers.putIfAbsent(name, provider);
            if (other != null) {
                throw new IllegalStateException("two of %s are named '%s': %s, and %s; give one of them another name"
                        .formatted(
                                "the " + kind + "s",
                                name,
                                own.contains(other) ? "Cutwater's own" : place(other),
                                place(provider)));
            }
        }
        return providers;
    }

    private static String place(Object provider) {
        var source = provider.getClass().getProtectionDomain().getCodeSource();
        return source == null
                ? provider.getClass().getName()
                : provider.getClass().getName() + " in " + source.getLocation();
    }

    private List<P> fromJars() {
        List<P> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        if (knowsType(ofThread)) {
            addFrom(ofThread, found, seen);
        }
        addFrom(type.getClassLoader(), found, seen);
        return found;
    }

    /** A loader with a Cutwater of its own has partitioners that are of no use to this one. */
    private boolean knowsType(@Nullable ClassLoader loader) {
        try {
            return loader != null && Class.forName(type.getName(), false, loader) == type;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private void addFrom(@Nullable ClassLoader loader, List<P> found, Set<String> seen) {
        try {
            ServiceLoader.load(type, loader).stream().forEach(provider -> {
                if (seen.add(provider.type().getName())) {
                    found.add(provider.get());
                }
            });
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalStateException(
                    "a jar on the class path names a class for %s that cannot be loaded; mend it or leave it out: %s"
                            .formatted(type.getSimpleName(), e.getMessage()),
                    e);
        }
    }
}
