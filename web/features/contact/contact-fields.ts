import type { Json } from '#schemas/event.ts'

/** The field of a person's name. */
export const NAME_FIELD = 'nome'

/** field01 … field16. */
export const FIELD_NAMES: readonly string[] = Array.from(
  { length: 16 },
  (_, at) => `field${String(at + 1).padStart(2, '0')}`,
)

/** Template variables filled by each contact field: `field01` → `1`. */
export const usedFields = ({ mapping }: Readonly<Record<string, Json>>): ReadonlyMap<string, readonly string[]> => {
  const used = new Map<string, readonly string[]>()
  if (!Array.isArray(mapping)) return used
  for (const entry of mapping) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) continue
    const { source, variable } = entry
    if (typeof source !== 'string' || typeof variable !== 'string' || source === 'text') continue
    used.set(source, [...(used.get(source) ?? []), variable])
  }
  return used
}

/** Fields that are of use: the campaign's first, then those that hold something. */
export const shownFields = (
  used: ReadonlyMap<string, unknown>,
  held: readonly Readonly<Record<string, string>>[],
): readonly string[] =>
  FIELD_NAMES.filter(name => used.has(name) || held.some(fields => (fields[name] ?? '') !== '')).toSorted(
    (one, other) => Number(used.has(other)) - Number(used.has(one)),
  )
