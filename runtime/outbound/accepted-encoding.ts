/** What `read-body.ts` can unpack, for the header of that name. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'
