/** Depth limit of objects and lists in one property of a block, for every way into a flow. */
export const DEEPEST_PROPERTY = 200

/** The same in a whole request: a version file has such a property nine levels down, the rest is to spare. */
export const DEEPEST_BODY = 256
