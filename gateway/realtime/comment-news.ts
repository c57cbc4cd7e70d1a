import type { Applied, ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Present, Rooms } from '#realtime/port.ts'

const FLOWS: ReadonlyMap<string, Present['kind']> = new Map([
  ['dialogcomment', 'dialog'],
  ['handlercomment', 'handler'],
])

/** Open flows about which something was said, changed or settled, each once. */
export const flowsSpokenOf = async (
  read: ReadModels,
  rooms: Rooms,
  touched: Applied['touched'],
): Promise<readonly Present[]> => {
  const open = rooms.present()
  const spoken = touched.filter(({ entity }) => FLOWS.has(entity))
  if (open.length === 0 || spoken.length === 0) return []
  const ids = await Promise.all(
    spoken.map(async ({ entity, id }) => {
      const row = await read.detail(SYSTEM_SCOPE, entity, id, { removed: true })
      return row?.[FLOWS.get(entity) ?? '']
    }),
  )
  const wanted = new Set(ids)
  return open.filter(({ id }) => wanted.has(id))
}
