/**
 * Portuguese and Spanish count whole millions as "many"; here they read like any other number. Portuguese counts none as
 * "one": people write "0 mensagens".
 */
export const withPlurals = (texts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) => {
      if (typeof value === 'object' && value !== null) return [[key, withPlurals({ ...value })]]
      if (!key.endsWith('_other')) return [[key, value]]
      const forms = ['zero', 'many'].map(form => key.replace(/other$/u, form)).filter(form => !(form in texts))
      return [...forms, key].map(form => [form, value])
    }),
  )
