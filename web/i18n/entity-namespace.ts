/** Namespaces of the texts of one entity begin with it: `entity/bot`. */
export const ENTITY_TEXT = 'entity/'
