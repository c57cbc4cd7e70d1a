import type { TemplateExample, TemplateText } from './template.ts'

/** `{{1}}` or `{{first_name}}`. */
const VARIABLE = /\{\{([^{}\s]{1,100})\}\}/gu

/** A variable and its place in its text, in UTF-16 units. */
interface FoundVariable {
  readonly name: string
  readonly at: number
  readonly end: number
}

export const variablesIn = (text: string): readonly FoundVariable[] =>
  [...text.matchAll(VARIABLE)].map(({ 0: whole, 1: name = '', index }) => ({
    name,
    at: index,
    end: index + whole.length,
  }))

/** Names of the variables of a text, each once, in order of first use. */
export const variableNames = (text: string): readonly string[] => [
  ...new Set(variablesIn(text).map(({ name }) => name)),
]

/** Names in the order in which Meta wants their examples: numbers ascending. */
export const exampleOrder = (text: string): readonly string[] => {
  const names = variableNames(text)
  return names.every(name => /^\d+$/u.test(name)) ? names.toSorted((a, b) => Number(a) - Number(b)) : names
}

/** The examples that belong to the variables of a text, in their order; undefined where one is missing. */
export const examplesOf = ({ text, examples }: TemplateText): readonly TemplateExample[] | undefined => {
  const found = exampleOrder(text).map(name => examples.find(each => each.name === name && each.value.trim() !== ''))
  return found.every(example => example !== undefined) ? found : undefined
}

/** A text with values instead of its variables; a variable without one stays as it is. */
const filledText = (text: string, valueFor: (name: string) => string | undefined): string =>
  text.replace(VARIABLE, (whole, name: string) => valueFor(name) ?? whole)

/** A text as its examples show it. */
export const sampleText = ({ text, examples }: TemplateText): string =>
  filledText(text, name => examples.find(each => each.name === name && each.value !== '')?.value)
