import type { ReadModels, Scope } from '#projections/port.ts'
import type { Rooms } from '#realtime/port.ts'

/** Open flows and their editors that the caller may see; with `bot` its flows alone. */
export const editingNow = async (read: ReadModels, scope: Scope, rooms: Rooms, bot?: string) => {
  const seen = await Promise.all(
    rooms.present().map(async ({ kind, id, members }) => {
      if (scope.readable !== 'all' && !scope.readable.has(kind)) return []
      const row = await read.detail(scope, kind, id)
      if (row === undefined) return []
      if (bot !== undefined && (await read.detail(scope, 'dialogtask', String(row.dialogtask)))?.bot !== bot) return []
      const people = members.map(({ user, name, color }) => ({ user, name, color }))
      return [{ entity: kind, id, name: String(row.name), people }]
    }),
  )
  return seen.flat().filter(({ people }) => people.length > 0)
}
