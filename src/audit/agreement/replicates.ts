/** Bootstrap samples of Krippendorff's alpha, apart from all else so that help needs nothing more. */
export const defaultReplicates = 2000;
export const mostReplicates = 1_000_000;
