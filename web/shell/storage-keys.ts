/** Keys of what this browser keeps of where somebody was; gone when they sign out. */
export const RECENT = 'parley.recent'
/** Followed by a user's id and the name of an entity: the last state of its list. */
export const LIST = 'parley.list.'
/** Followed by the name of a flow: sample values that somebody made up for it. */
export const SAMPLES = 'parley.samples.'
/** Followed by a user's id and the name of an entity: views that somebody saved by name; kept when they sign out. */
export const VIEWS = 'parley.views.'
/** Types of blocks that somebody added last. */
export const USED_BLOCKS = 'parley.blocks'
/** Followed by a user's id: they put the first steps away; kept when they sign out. */
export const STEPS = 'parley.steps.'
