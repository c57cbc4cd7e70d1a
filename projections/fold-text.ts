const PLAIN = /^[!-~]*(?: [!-~]+)*$/

/** What search and sorting compare: case and accents folded, white space joined. */
export const foldText = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim()
