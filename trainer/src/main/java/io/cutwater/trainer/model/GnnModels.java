package io.cutwater.trainer.model;

import java.util.ServiceLoader;
import java.util.TreeMap;

/** The available models: those of this module, and those of other jars on the class path. */
public final class GnnModels {
    private GnnModels() {}

    /**
     * Returns the model with a name.
     *
     * @throws IllegalArgumentException if there is no such model; the message lists the available ones
     */
    public static GnnModel of(String name) {
        TreeMap<String, GnnModel> models = new TreeMap<>();
        for (GnnModel model : ServiceLoader.load(GnnModel.class)) {
            models.putIfAbsent(model.name(), model);
        }
        GnnModel model = models.get(name);
        if (model == null) {
            throw new IllegalArgumentException(
                    "there is no model '%s'; there are %s".formatted(name, String.join(", ", models.keySet())));
        }
        return model;
    }
}
