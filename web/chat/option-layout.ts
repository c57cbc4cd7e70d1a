type AnswerShape = 'chips' | 'list' | 'dropdown' | 'none'

const AUTO_BUTTONS = 3

/** Display of options (RUNTIME 40): a dropdown from `dropdownFrom` options on. */
export const shapeOf = (count: number, list: string, dropdownFrom: number | null): AnswerShape => {
  if (count === 0) return 'none'
  const isLong = dropdownFrom !== null && count >= dropdownFrom
  if (isLong && list !== 'inline') return 'dropdown'
  if (list === 'list') return 'list'
  if (list === 'auto') return count <= AUTO_BUTTONS ? 'chips' : 'list'
  return 'chips'
}
