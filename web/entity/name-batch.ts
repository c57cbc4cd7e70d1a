import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

type Names = AnswerOf<'POST /names'>

interface PendingName {
  readonly entity: string
  readonly id: string
  readonly resolve: (name: string | null) => void
  readonly reject: (error: unknown) => void
}

/** Of POST /names. */
const MAX_IDS = 500

/** Joins the names asked for within one tick into one call of POST /names. Null: gone, or not visible to the caller. */
export const createNameBatch = (ask: (ids: Record<string, string[]>) => Promise<Names>) => {
  let wanted: PendingName[] = []

  const send = async (batch: readonly PendingName[]): Promise<void> => {
    const ids: Record<string, string[]> = {}
    for (const { entity, id } of batch) {
      const known = ids[entity] ?? []
      ids[entity] = known.includes(id) ? known : [...known, id]
    }
    try {
      const names = await ask(ids)
      for (const { entity, id, resolve } of batch) resolve(names[entity]?.[id] ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const flush = () => {
    const batch = wanted
    wanted = []
    for (let at = 0; at < batch.length; at += MAX_IDS) void send(batch.slice(at, at + MAX_IDS))
  }

  return (entity: string, id: string): Promise<string | null> =>
    new Promise((resolve, reject) => {
      if (wanted.length === 0) setTimeout(flush)
      wanted.push({ entity, id, resolve, reject })
    })
}

export const fetchName = createNameBatch(ids => http.post('/names', { body: { ids } }))
