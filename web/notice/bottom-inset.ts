/** CSS variable of the page: the height at its bottom that notices leave free. */
export const BOTTOM_INSET = '--parley-bottom-inset'
