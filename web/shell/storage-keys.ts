/** Keys of what this browser keeps of where somebody was; gone when they sign out. */
export const RECENT = 'parley.recent'
/** Followed by the name of an entity. */
export const LIST = 'parley.list.'
/** Followed by the name of a flow: sample values that somebody made up for it. */
export const SAMPLES = 'parley.samples.'
