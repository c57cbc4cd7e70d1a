/** Ids at Meta are decimal numbers that no number type holds. */
export const META_ID = /^\d{1,32}$/u
