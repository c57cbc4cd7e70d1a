import type { Json } from '#schemas/event.ts'

export interface OfferedChoice {
  readonly title: string
  readonly value: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * The options that two rules take from data: the nth title goes with the nth value, a title without a value stands for
 * itself. `select` answers all that a rule finds.
 */
export const offeredChoices = (
  data: Json,
  titleRule: string,
  valueRule: string,
  select: (rule: string, data: Json) => readonly unknown[],
): readonly OfferedChoice[] => {
  const values = valueRule.trim() === '' ? [] : select(valueRule, data)
  return select(titleRule, data).map((title, place) => ({
    title: text(title),
    value: place in values ? text(values[place]) : text(title),
  }))
}
