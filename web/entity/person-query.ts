import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { http } from '#web/api/http.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'

let waiting: Map<string, ((person: NamedPerson) => void)[]> | undefined

const MAX = 100

const ask = async (ids: readonly string[]): Promise<readonly NamedPerson[]> => {
  const found: NamedPerson[] = []
  for (let at = 0; at < ids.length; at += MAX) {
    const { items } = await http.get('/people', {
      query: {
        ids: ids.slice(at, at + MAX).join(','),
      },
    })
    found.push(...items)
  }
  return found
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

const readPerson = async (id: string): Promise<NamedPerson> => {
  const row = await http.get('/{entity}/{id}', { params: { entity: 'user', id } })
  const { username, firstname, lastname } = row
  return { id, username: textOf(username), firstname: textOf(firstname), lastname: textOf(lastname) }
}

/** Reads people one by one when the caller cannot list them. */
const askEach = async (ids: readonly string[]): Promise<readonly NamedPerson[]> => {
  const found = await Promise.allSettled(ids.map(id => readPerson(id)))
  return found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
}

let together = true

const flush = async () => {
  const asked = waiting ?? new Map()
  waiting = undefined
  const ids = [...asked.keys()]
  const people = await (together ? ask(ids) : askEach(ids)).catch(() => {
    together = false
    return askEach(ids)
  })
  const byId = new Map(people.map(person => [person.id, person]))
  for (const [id, answers] of asked) for (const answer of answers) answer(byId.get(id) ?? { id, username: null })
}

/** Everything asked in the same moment goes out as one call. */
const personOf = (id: string): Promise<NamedPerson> =>
  new Promise(resolve => {
    if (waiting === undefined) {
      waiting = new Map()
      setTimeout(() => void flush(), 10)
    }
    waiting.set(id, [...(waiting.get(id) ?? []), resolve])
  })

/** Undefined while loading. */
export const usePerson = (id: string | null): NamedPerson | undefined =>
  useQuery({
    queryKey: ['person', id],
    queryFn: () => personOf(id ?? ''),
    enabled: id !== null,
    staleTime: 300_000,
  }).data

interface Line {
  readonly entity: string
  readonly action: string
  readonly person: NamedPerson | null
}

/** Person of a line. A failed sign-in without a person is nobody known, not the program. */
export const useActor = () => {
  const { t } = useTranslation('shell')
  return ({ entity, action, person }: Line): NamedPerson | null =>
    person === null && (action === 'signinfailed' || entity === 'signin')
      ? { id: '', username: t('bell.someone') }
      : person
}
