package io.cutwater.trainer.shard;

/** What a vertex serves for. */
public enum Split {
    NONE,
    TRAIN,
    VALIDATION,
    TEST;

    static Split of(String word) {
        return switch (word) {
            case "train" -> TRAIN;
            case "val" -> VALIDATION;
            case "test" -> TEST;
            case "none" -> NONE;
            default ->
                throw new IllegalArgumentException("must be train, val, test or none, and is '%s'".formatted(word));
        };
    }
}
