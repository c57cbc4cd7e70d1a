/** Hues of entities in the order in which they were made; they repeat from the sixth on, and the name decides. */
const HUES = ['interaction', 'flow', 'cards', 'datamanagement', 'integration'] as const

export const hueOf = (entity: string, names: readonly string[]): string => {
  const at = names.indexOf(entity)
  return `category.${HUES[(at < 0 ? names.length : at) % HUES.length]}`
}
