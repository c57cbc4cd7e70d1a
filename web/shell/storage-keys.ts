/** Storage keys of a user's navigation history; removed at sign-out. */
export const RECENT = 'parley.recent'
/** Followed by a user's id and the name of an entity: the last state of its list. */
export const LIST = 'parley.list.'
/** Followed by the name of a flow: its custom sample values. */
export const SAMPLES = 'parley.samples.'
/** Followed by a user's id and an entity name: named views; kept at sign-out. */
export const VIEWS = 'parley.views.'
/** Block types added most recently. */
export const USED_BLOCKS = 'parley.blocks'
/** Followed by a user's id: they hid the card of the sample workspace; kept when they sign out. */
export const SAMPLE_AWAY = 'parley.sampleaway.'
/** Followed by a user's id: they put the first steps away; kept when they sign out. */
export const STEPS = 'parley.steps.'
/** Followed by a user's id: keys, sounds and notifications of the desk; kept at sign-out. */
export const DESK = 'parley.desk.'
/** Followed by a user's id: the newest day whose news they saw; kept at sign-out. */
export const NEWS_SEEN = 'parley.news.'
