/** Whether two texts are the same letters: composed and decomposed forms are equal. */
export const sameText = (one: string, other: string): boolean => one.normalize('NFC') === other.normalize('NFC')
