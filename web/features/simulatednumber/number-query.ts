import { queryOptions, useQuery } from '@tanstack/react-query'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { detailQuery } from '#web/entity/entity-query.ts'

export type SimulatedNumber = AnswerOf<'GET /simulatednumber/{id}'>
export type Persona = SimulatedNumber['personas'][number]
export type PersonaPhone = AnswerOf<'GET /simulatednumber/{id}/persona/{persona}'>
export type PhoneMessage = PersonaPhone['messages'][number]

export const NUMBER_KEY = 'simulatednumber'
/** A phone shows what arrives within this time. */
const POLL_MS = 1000

export const numbersQuery = queryOptions({
  queryKey: [NUMBER_KEY],
  queryFn: ({ signal }) => http.get('/simulatednumber', { signal }),
})

export const numberQuery = (id: string) =>
  queryOptions({
    queryKey: [NUMBER_KEY, id],
    queryFn: ({ signal }) => http.get('/simulatednumber/{id}', { params: { id }, signal }),
    refetchInterval: POLL_MS,
  })

export const phoneQuery = (id: string, persona: number) =>
  queryOptions({
    queryKey: [NUMBER_KEY, id, persona],
    queryFn: ({ signal }) => http.get('/simulatednumber/{id}/persona/{persona}', { params: { id, persona }, signal }),
    refetchInterval: POLL_MS,
  })

/** Whether an account is simulated; false until it is read. */
export const useIsSimulated = (account: string | null | undefined): boolean => {
  const { can } = useSession()
  const isKnown = typeof account === 'string' && account !== ''
  const { data } = useQuery({
    ...detailQuery('metaaccount', account ?? ''),
    enabled: isKnown && can('readmetaaccount'),
  })
  return isSimulated(data)
}
