import type { Json } from '#schemas/event.ts'

export interface OfferedChoice {
  readonly title: string
  readonly value: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * Options that two rules take from data: the nth title belongs to the nth value, a title without a value is also the
 * value. `select` returns all matches of a rule.
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
