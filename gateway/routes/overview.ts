import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Rooms } from '#realtime/port.ts'
import { homeSchema, latestReleaseSchema, peopleSchema, searchSchema } from '#schemas/api/home.ts'
import { peopleQuery, searchQuery } from '#schemas/api/query.ts'
import type { Json } from '#schemas/event.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'
import { editingNow } from './editing-now.ts'
import { searchFlows } from './search-flows.ts'

/** Data of the shell around the entities: home, global search, names of people, the newest release note. */
export const addOverview = (app: FastifyInstance, parts: Parts, rooms: Rooms): void => {
  const { read } = parts
  app.get('/home', { schema: { tags: ['home'], response: { 200: homeSchema } } }, async request => {
    const { scope } = sessionOf(request)
    return { ...(await read.home(scope)), editing: await editingNow(read, scope, rooms) }
  })

  app.get<{ Querystring: z.output<typeof searchQuery> }>(
    '/search',
    { schema: { tags: ['search'], querystring: searchQuery, response: { 200: searchSchema } } },
    async request => {
      const { search, size } = request.query
      if (search.trim() === '') return { items: [] }
      const items = await read.search(sessionOf(request).scope, search, size)
      if (items.length >= size) return { items }
      const inFlows = await searchFlows(parts, request, search.trim())
      const others = inFlows.filter(({ id }) => !items.some(item => item.id === id))
      return { items: [...items, ...others].slice(0, size) }
    },
  )

  app.get<{ Querystring: z.output<typeof peopleQuery> }>(
    '/people',
    { schema: { tags: ['people'], querystring: peopleQuery, response: { 200: peopleSchema } } },
    async request => ({ items: await read.people(sessionOf(request).scope, request.query.ids) }),
  )

  app.get(
    '/releasenote/latest',
    { schema: { tags: ['releasenote'], response: { 200: latestReleaseSchema } } },
    async () => {
      const newest = await newestRelease(read)
      if (newest === undefined) return {}
      const { name, major, minor, patch, improvement, bugfix } = newest
      return { name, major, minor, patch, improvement, bugfix }
    },
  )
}

/** The highest version, not the latest written: a note may be added for an older one. */
async function newestRelease(read: ReadModels): Promise<Row | undefined> {
  const highest = async (field: string, filter: Readonly<Record<string, Json>>) =>
    (await read.list(SYSTEM_SCOPE, 'releasenote', { sort: `-${field}`, page: 1, size: 1, filter })).items[0]
  const byMajor = await highest('major', {})
  if (byMajor === undefined) return undefined
  const byMinor = await highest('minor', { major: byMajor.major ?? 0 })
  return highest('patch', { major: byMajor.major ?? 0, minor: byMinor?.minor ?? 0 })
}
