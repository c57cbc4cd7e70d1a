/** Titles that a program wrote and no person needs: MIME types, `input`, the type's own name. */
export const isMachineTitle = (title: string, type: string): boolean =>
  title.trim() === '' || title === type || title === 'input' || /^[a-z]+\/[\w.+-]+$/u.test(title)
