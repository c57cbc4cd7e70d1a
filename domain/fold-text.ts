/** A text as it is compared with what somebody typed: without capitals and accents. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
