/** A changed text, and the selection in it. */
export interface TextEdit {
  readonly text: string
  readonly from: number
  readonly to: number
}

const NUMBER = /\{\{(\d{1,3})\}\}/gu

/** Smallest number that no variable of a text has: numbers of Meta have no gaps. */
const freeNumber = (text: string): number => {
  const taken = new Set([...text.matchAll(NUMBER)].map(([, number]) => Number(number)))
  let number = 1
  while (taken.has(number)) number += 1
  return number
}

/** Name of a new variable until it gets its own. */
const NAME = 'nome'

/** A variable in place of the selection. Selected words become the name of one that has names, and else the new name is selected. */
export const insertedVariable = (text: string, from: number, to: number, isNamed: boolean): TextEdit => {
  const chosen = text.slice(from, to)
  const given = isNamed ? (/^[a-z][a-z_]*$/u.test(chosen) ? chosen : NAME) : String(freeNumber(text))
  const written = `{{${given}}}`
  const start = from + 2
  const after = { text: text.slice(0, from) + written + text.slice(to) }
  return isNamed && given !== chosen
    ? { ...after, from: start, to: start + given.length }
    : { ...after, from: from + written.length, to: from + written.length }
}

/** A selection between two signs of WhatsApp, without its outer spaces; marked words lose their signs. */
export const markedText = (text: string, from: number, to: number, sign: string): TextEdit => {
  const chosen = text.slice(from, to)
  const start = from + (chosen.length - chosen.trimStart().length)
  const end = Math.max(start, to - (chosen.length - chosen.trimEnd().length))
  const inner = text.slice(start, end)
  if (text[start - 1] === sign && text[end] === sign) {
    const bare = text.slice(0, start - 1) + inner + text.slice(end + 1)
    return { text: bare, from: start - 1, to: end - 1 }
  }
  return { text: text.slice(0, start) + sign + inner + sign + text.slice(end), from: start + 1, to: end + 1 }
}
