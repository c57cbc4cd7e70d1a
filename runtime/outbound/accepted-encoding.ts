/** Encodings that `read-body.ts` can decode, for the header `accept-encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'
