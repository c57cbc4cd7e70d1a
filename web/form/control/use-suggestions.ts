import { useQuery } from '@tanstack/react-query'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { OfferedFrom } from '#schemas/field/kind.ts'
import { useSession } from '#web/api/session.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { readAll } from '#web/entity/read-all.ts'

const NOTHING: readonly string[] = []

const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const idsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : []).flatMap(item =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && typeof item.id === 'string' ? [item.id] : [],
  )

/** The id of what the references lead to; a reference is named after the entity that it points at. */
const useLastId = (through: readonly string[], values: JsonObject): string | undefined => {
  const [first = '', second] = through
  const { can } = useSession()
  const id = idOf(values[first])
  const isFollowed = second !== undefined && id !== undefined && can(`read${first}`)
  const next = useQuery({ ...detailQuery(first, id ?? ''), enabled: isFollowed }).data
  return second === undefined ? id : idOf(next?.[second])
}

/** Options of a field from other rows; empty while loading or without read access. */
export const useOffered = (offered: OfferedFrom | undefined, values: JsonObject): readonly string[] => {
  const { can } = useSession()
  const { through = [], things, list } = offered ?? {}
  const at = through.at(-1) ?? ''
  const id = useLastId(through, values)
  const titles = useQuery({
    queryKey: [things ?? '', 'offered', { [at]: id }],
    queryFn: async ({ signal }) => {
      const { items } = await readAll(things ?? '', { [at]: id ?? '' }, signal)
      return items.map(item => String(item.name ?? '')).sort()
    },
    enabled: things !== undefined && id !== undefined && can(`read${things}`),
    staleTime: 30_000,
  })
  const isListed = list !== undefined && id !== undefined && can(`read${at}`)
  const owner = useQuery({ ...detailQuery(at, id ?? ''), enabled: isListed }).data
  if (things !== undefined) return titles.data ?? NOTHING
  return list === undefined ? NOTHING : idsIn(owner?.[list])
}
