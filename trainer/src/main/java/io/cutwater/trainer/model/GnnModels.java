package io.cutwater.trainer.model;

import java.util.ServiceLoader;
import java.util.TreeMap;

/** The models that there are: those of this module, and those of other jars on the class path. */
public final class GnnModels {
    private GnnModels() {}

    /**
     * The model that users call by this name.
     *
     * @throws IllegalArgumentException with the models that there are, if there is none of that name
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
