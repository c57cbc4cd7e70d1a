/** A name as it stands within a sentence: `Code sample` in small letters, `NLU project` and `OAuth` as they are written. */
export const inSentence = (name: string): string =>
  name.replace(/\p{L}+/gu, word => (/\p{Lu}\p{L}*\p{Lu}/u.test(word) ? word : word.toLocaleLowerCase()))
