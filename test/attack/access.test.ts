import { io } from 'socket.io-client'
import { afterAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { openAdmin } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'
import type { Asked } from './ask.ts'
import { type Logged, LogWatch } from './log-watch.ts'
import { type Judge, Matrix, refusedWith } from './matrix.ts'
import { type Description, isWrite, operationsOf } from './operation.ts'
import { type Attacker, makeWorld, type PlaceName } from './world.ts'

/**
 * Access matrix: each operation of the served description and each room, for each kind of user, on entities of their
 * own level, a child level, a sibling, a child of the sibling, a removed level, and unknown ids. New routes are
 * included automatically.
 */
const LONG = isFull ? 900_000 : 60_000

const { parley, admin } = await openAdmin({ env: { SEAL_MINUTES: '1440' } })
const description = (await parley.anyone.get('/openapi.json')).body as unknown as Description
const matrix = new Matrix(await makeWorld(parley, admin, description), description, operationsOf(description))
const log = new LogWatch(parley.folder)
afterAll(async () => {
  if (isFull) process.stderr.write(`${matrix.tried} combinations of person, operation and thing were tried\n`)
  log.close()
})

/** Refusals despite the permission: the grant exceeds the user's own rights, or another user is the author. */
const PERSONAL = new Set(['access.grant', 'auth.confirm', 'comment.author'])

/** One role shows a rule; all of them are asked in the full form. */
const asRole = (attackers: readonly Attacker[], ...roles: string[]): readonly Attacker[] =>
  isFull ? attackers : attackers.filter(({ name }) => roles.includes(name))

/** Tries all of it; nothing may be wrong with an answer, and nothing may be written. */
const harmless = async (asked: readonly Asked[], judge: Judge, atLeast: number) => {
  const before = log.position
  expect(await matrix.faults(asked, judge)).toEqual([])
  expect(asked.length).toBeGreaterThan(atLeast)
  expect(log.after(before)).toEqual([])
}

test('returns 401 for every protected operation without a session', async () => {
  const asked = asRole(matrix.withoutSession, 'nobody').flatMap(attacker =>
    matrix.operations.filter(({ open }) => !open).map((operation): Asked => ({ attacker, operation, target: 'own' })),
  )
  await harmless(asked, refusedWith(401, 'auth.required'), 300)
}, 60_000)

test(
  'returns 403 without the permission, for any entity, and changes nothing',
  async () => {
    const targets = isFull ? (['own', 'child', 'sibling', 'removed', 'unknown'] as const) : (['sibling'] as const)
    const asked = asRole(matrix.inSession, 'viewer').flatMap(attacker =>
      matrix
        .forbidden(attacker)
        .filter(operation => !isMixed(attacker, operation))
        .flatMap(operation => targets.map((target): Asked => ({ attacker, operation, target }))),
    )
    await harmless(asked, refusedWith(403, 'access.forbidden'), 250)
  },
  LONG,
)

test(
  'answers every operation on entities outside the caller’s levels as for unknown ones, and changes nothing',
  async () => {
    const asked = asRole(matrix.below, 'administrator').flatMap(attacker =>
      matrix.permitted(attacker, () => true).flatMap(operation => matrix.outside(attacker, operation)),
    )
    const notFound = refusedWith(404, 'entity.notfound')
    // The place of an unknown entity has a special answer: {}.
    const judge: Judge = async (one, answer) => (await notFound(one, answer)) ?? matrix.asIfItNeverWas(one, answer)
    await harmless(asked, judge, 250)
  },
  LONG,
)

test(
  'refuses to create in, move to or link to entities outside the caller’s levels',
  async () => {
    const asked = asRole(matrix.below, 'administrator').flatMap(attacker =>
      matrix
        .permitted(attacker, operation => isWrite(operation) && !isImport(operation))
        .flatMap(operation => matrix.tied(attacker, operation)),
    )
    const judge: Judge = (one, answer) =>
      answer.status === 404 || answer.status === 422
        ? matrix.asIfItNeverWas(one, answer)
        : `${answer.status} ${answer.text}`
    await harmless(asked, judge, 20)
  },
  LONG,
)

test(
  'closes a refused room with the code of the reason and sends nothing else',
  async () => {
    const targets = ['own', 'child', 'sibling', 'cousin', 'root', 'removed', 'unknown'] as const
    const kinds = ['dialog', 'handler'] as const
    const expected = ({ permissions, sees }: Attacker, kind: string, target: PlaceName | 'unknown') => {
      if (permissions === null) return 4401
      if (!permissions.has(`read${kind}`)) return 4403
      return target === 'unknown' || target === 'removed' || !sees.includes(target) ? 4404 : 'open'
    }
    const faults = await Promise.all(
      matrix.world.attackers.flatMap(attacker =>
        targets.flatMap(target =>
          kinds.map(async kind => {
            matrix.tried += 1
            const id = target === 'unknown' ? 'none' : matrix.world.places[target].ids[kind]
            const got = await enter(`${kind}-${id}`, attacker)
            const wanted = expected(attacker, kind, target)
            return got === wanted ? [] : [`${attacker.name}: ${kind} of ${target}: ${got} and not ${wanted}`]
          }),
        ),
      ),
    )
    expect(faults.flat()).toEqual([])
  },
  LONG,
)

/** The code a room is closed with, or `open` when it begins to speak. */
const enter = (room: string, { client }: Attacker): Promise<number | 'open'> => {
  const headers: Record<string, string> = client.token === '' ? {} : { authorization: `Bearer ${client.token}` }
  const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/${room}`, { headers })
  return new Promise(resolve => {
    socket.on('message', () => {
      resolve('open')
      socket.close()
    })
    socket.on('close', resolve)
    socket.on('error', () => undefined)
  })
}

test(
  'sends actions of others to no one outside their levels, and keeps own actions inside',
  async () => {
    // Given a listener in one branch
    const [listener] = matrix.below.filter(({ name }) => name === 'administrator')
    if (listener === undefined) throw new Error('Nobody listens')
    const auth = { token: listener.client.token }
    const socket = io(parley.origin, {
      path: '/botadmin/socket.io',
      auth,
      reconnection: false,
      transports: ['websocket'],
    })
    const heard: string[] = []
    socket.onAny((...message) => heard.push(JSON.stringify(message)))
    await new Promise(resolve => socket.once('connect', () => resolve(undefined)))
    // When everyone writes all that they may in a level below their own, administrators last
    const rank = ({ name }: Attacker) => Number(name === 'administrator') + 2 * Number(name === 'neighbour')
    const begun = log.position
    const reached = new Map<string, ReadonlySet<string | null>>()
    for (const attacker of asRole(matrix.below, 'administrator', 'neighbour').toSorted((a, b) => rank(a) - rank(b))) {
      const before = log.position
      const asked = matrix
        .permitted(attacker, operation => isWrite(operation) && !OF_ONESELF.test(operation.path))
        .filter(({ path }) => isFull || attacker !== listener || !COSTLY.test(path))
        .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
        .map((operation): Asked => ({ attacker, operation, target: attacker.home === 'own' ? 'child' : 'cousin' }))
      const first = await levelsOf(attacker)
      const faults = await matrix.faults(asked, (_one, { status, text, body }) =>
        status === 401 || status >= 500 || (status === 403 && !PERSONAL.has(body.code))
          ? `${status} ${text}`
          : matrix.leak(attacker, text),
      )
      // Then no answer reveals another branch, and nothing was written there
      expect(faults, errorsOf(parley.log())).toEqual([])
      const levels = new Set<string | null>([null, ...first, ...(await levelsOf(attacker))])
      const me = ((await attacker.client.get('/auth/user')).body.user as { readonly id: string }).id
      reached.set(me, levels)
      // Uploads of earlier attackers continue in the background, in the levels of those attackers.
      const others = new Set([...reached.keys()].filter(id => id !== me))
      const own = log.after(before).filter(({ actor }) => actor === null || !others.has(actor))
      expect(own.filter(({ level }) => !levels.has(level))).toEqual([])
    }
    const outside = ({ actor, level }: Logged) => actor !== null && reached.get(actor)?.has(level) === false
    expect(log.after(begun).filter(outside)).toEqual([])
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    socket.close()
    expect(heard.map(message => matrix.leak(listener, message)).filter(Boolean)).toEqual([])
  },
  LONG,
)

/** The newest errors of a gateway's log, for a request that failed. */
const errorsOf = (text: string): string =>
  text
    .split('\n')
    .filter(line => line.includes('"level":50'))
    .slice(-3)
    .join('\n')

/**
 * No thing of the world holds an upload, nobody began a process, a job or a conversation, no account is simulated:
 * tests of their own ask for them.
 */
const UNKNOWN_TO_ALL: ReadonlySet<string> = new Set([
  '/file/{id}',
  '/process/{id}',
  '/contact/{id}',
  '/contactjob/{id}',
  '/channel/{id}/testmessage/{message}',
  '/simulatednumber/{id}',
  '/simulatednumber/{id}/persona/{persona}',
  '/rehearsal/{id}',
  '/rehearsal/{id}/ways',
  '/rehearsal/{id}/conversation',
])

/** Answer for a project without a model: it has no figures yet. */
const UNTRAINED = '"code":"nlu.model"'
/** Beside the permission it needs a report group, and an installation with Metabase: test/api/report.test.ts. */
const GRANTED_BY_GROUPS: ReadonlySet<string> = new Set(['/report/{id}/embed'])
const NOT_ASKED = UNKNOWN_TO_ALL.union(GRANTED_BY_GROUPS)
/** No bot of the world has talked. */
const OF_CONVERSATION = /^\/(?:conversation|desk\/chat)\/\{id\}/u

test('an upload that no thing holds is answered to its uploader alone', async () => {
  const form = new FormData()
  form.set('file', new Blob(['a contract']), 'contract.txt')
  const [uploader, ...others] = matrix.inSession
  const { status, body } = (await uploader?.client.send('POST', '/file', { body: form })) ?? { status: 0 }
  expect(status).toBe(201)
  const path = `/file/${body?.id ?? ''}`
  expect((await uploader?.client.get(path))?.text).toBe('a contract')
  for (const { client } of others) expect((await client.get(path)).body.code).toBe('entity.notfound')
  for (const { client } of matrix.withoutSession) expect((await client.get(path)).status).toBe(401)
})

/** Writes that end or change the session that makes them. */
const OF_ONESELF = /logout|password$|2fa$|changehierarchylevel|seeas/
/** They run scripts, or read and write whole flows: in the short form only the neighbour tries them, and the listener must not hear of it. */
const COSTLY = /upload$|\/try\/|publish|\/tests$|duplicate$/
/** The body decides which permission it needs, and the user has one of them: test/api/bulk.test.ts. */
const isMixed = ({ permissions }: Attacker, { path }: { readonly path: string }): boolean => {
  const [, entity, last] = path.split('/')
  return last === 'bulk' && [...(permissions ?? [])].some(one => one.endsWith(`${entity}`) && one !== `read${entity}`)
}

/** Its body is CSV: test/api/import.test.ts. */
const isImport = ({ path }: { readonly path: string }) => path.endsWith('/import')

/** Providers belong to the root: they are not below it. */
const OF_PROVIDER = /^\/identityprovider\/\{/

const levelsOf = async ({ client }: Attacker): Promise<readonly string[]> =>
  ((await client.get('/selectfromoriginallevel')).body as unknown as { id: string }[]).map(({ id }) => id)

test(
  'returns only the caller’s levels in every read: rows, names, counts, search, history, audit and notifications',
  async () => {
    const asked = asRole(matrix.below, 'viewer').flatMap(attacker =>
      matrix
        .permitted(
          attacker,
          operation =>
            !isWrite(operation) &&
            !NOT_ASKED.has(operation.path) &&
            !OF_CONVERSATION.test(operation.path) &&
            !OF_PROVIDER.test(operation.path),
        )
        .map((operation): Asked => ({ attacker, operation, target: attacker.home })),
    )
    const isTold = (status: number, text: string) => status === 200 || text.includes(UNTRAINED)
    const faults = await matrix.faults(asked, ({ attacker }, { status, text }) =>
      isTold(status, text) ? matrix.leak(attacker, text) : `${status} ${text}`,
    )
    expect(faults).toEqual([])
    expect(asked.length).toBeGreaterThan(150)
  },
  LONG,
)

test(
  'answers every query about entities outside the caller’s levels as for unknown ones',
  async () => {
    const asked = asRole(matrix.below, 'administrator').flatMap(attacker =>
      matrix
        .permitted(attacker, operation => !isWrite(operation))
        .flatMap(operation => matrix.tied(attacker, operation)),
    )
    expect(await matrix.faults(asked, matrix.asIfItNeverWas)).toEqual([])
    expect(asked.length).toBeGreaterThan(50)
  },
  LONG,
)
