import { expect, test } from 'vitest'
import { z } from 'zod'
import { ROUTES } from './routes.ts'

interface Declared {
  readonly query?: z.ZodType
  readonly answer?: z.ZodType
}

/** Lists without a `size`, and what bounds them. */
const BOUNDED: Readonly<Record<string, string>> = {
  'GET /auth/session': 'MAX_LISTED sessions',
  'GET /auth/oidc': 'five, and the one of the settings',
  'GET /user/passkey': 'MAX_PASSKEYS',
  'GET /user/{id}/sessions': 'MAX_LISTED sessions',
  'GET /bot/live': 'MAX_PAGE_SIZE ids in the query',
  'GET /bot/{id}/services': 'a channel each',
  'GET /bot/{id}/channelhealth': 'a channel each',
  'GET /bottemplate': 'the templates of this build',
  'GET /event': '`limit`, at most 1,000 events of 20 kB',
  'GET /people': 'MAX_PAGE_SIZE ids in the query',
  'GET /reports': 'reports that administrators embed',
  'GET /audit/activity': '500 buckets in the query',
  'GET /conversation/{id}/readers': 'MAX_READERS lines',
  'GET /bot/{id}/tests': 'MAX_MOMENTS',
  'GET /nluproject/{id}/unrecognized': 'MAX_TURNS',
  'GET /bot/{id}/flow/uses': '2,000 hits',
  'GET /bot/{id}/flow/find': '2,000 hits',
  'GET /bot/{id}/flow/callers': 'flows of one bot',
  'GET /bot/{id}/flow/errors': 'flows of one bot, 5 s',
  'GET /bot/{id}/flow/unused': 'variables of one bot',
  'GET /campaignrun': 'the newest 200',
  'GET /simulatednumber': 'the newest 200',
  'GET /campaign/{id}/testnumbers': 'MAX_NUMBERS',
  'GET /{entity}/assignable': 'MAX_LISTED names',
  'GET /cloudfile/{id}/links': 'MAX_FIELDS, and flows of MAX_BOTS for some seconds',
  'GET /agentchannel/{id}/queue': 'MAX_LISTED conversations',
  'GET /webhook/{id}/delivery': 'the newest 100',
  'GET /hierarchy/{id}/alerts': 'the newest 20',
  'GET /desk/chat/{id}/templates': 'MAX_TEMPLATES of a channel and of its account',
}
/** Largest page of any list. */
const MAX_SIZE = 500

const membersOf = (schema: z.ZodType | undefined, io: 'input' | 'output') =>
  (schema === undefined ? {} : (z.toJSONSchema(schema, { io, unrepresentable: 'any' }).properties ?? {})) as Readonly<
    Record<string, { readonly type?: string }>
  >

const lists = Object.entries(ROUTES as Readonly<Record<string, Declared>>).filter(
  ([route, { query, answer }]) =>
    route.startsWith('GET ') &&
    ('size' in membersOf(query, 'input') || membersOf(answer, 'output').items?.type === 'array'),
)

test('finds the lists of the API', () => {
  expect(lists.length).toBeGreaterThan(25)
})

test.each(lists.map(([route, declared]) => [route, declared] as const))(
  'bounds the size of %s [P-2005]',
  (route, { query }) => {
    if (!('size' in membersOf(query, 'input'))) {
      expect(route === 'GET /{entity}' || route in BOUNDED).toBe(true)
      return
    }
    const needed = { bot: 'b', search: 'x', campaign: 'c' }
    const members = membersOf(query, 'input')
    const given = Object.fromEntries(Object.entries(needed).filter(([name]) => name in members))
    for (const size of ['1000000', '999999999']) {
      const parsed = query?.safeParse({ ...given, size })
      const taken = parsed?.success === true ? (parsed.data as { readonly size: number }).size : 0
      expect(taken).toBeLessThanOrEqual(MAX_SIZE)
    }
    // A page of one is taken: the refusal above is of the size alone.
    expect(query?.safeParse({ ...given, size: '1' }).error?.issues).toBeUndefined()
  },
)
