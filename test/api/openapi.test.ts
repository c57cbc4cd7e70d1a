import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import type { Route } from '#schemas/api/route.ts'
import { ROUTES } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { WHOLE } from '#test/entity/maker.ts'
import { changeable, valuesFor, withoutHidden } from '#test/entity/values.ts'
import { closed } from './closed-schema.ts'
import { sendFile, uploadOf } from './contact-file.ts'
import { ADMIN_PASSWORD, type Answer } from './harness.ts'
import { trainedModel } from './nlu-project.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import {
  contactQueries,
  contactWrites,
  deskWrites,
  makeSimulated,
  PATHS_WITHOUT_ENTITY,
  REFUSED,
  RULED,
  SIMULATED_CAMPAIGN,
  simulatedWrites,
} from './openapi-values.ts'
import { serviceOf } from './service-of.ts'
import { uploadText } from './upload.ts'

/**
 * Calls every operation of the served description and validates each response against it; extra members fail. New
 * routes are covered automatically; a write that no declaration defines needs a line in WRITES.
 */
interface Operation {
  readonly method: string
  readonly path: string
  readonly described: {
    readonly responses: Record<string, { readonly content?: Record<string, { schema: object }> }>
    readonly requestBody?: object
  }
}

const BASE = '/botadmin/api'
const { parley, admin } = await openAdmin({
  env: { METABASE_URL: 'https://metabase.example', METABASE_SECRET: 'ab'.repeat(32) },
})
let document: { readonly paths: Record<string, Record<string, Operation['described']>>; readonly components: object }
let ajv: Ajv2020
const ids: Record<string, string> = {}

const declarationOf = (entity: string): EntityDeclaration | undefined =>
  Object.values(ENTITIES).find(({ name }) => name === entity)

/** A field of which one of several is required. */
const PLACES: Readonly<Record<string, string>> = { template: 'metaaccount' }

/** A value in each required field that is shown. */
const bodyFor = (entity: string): object => {
  const declaration = declarationOf(entity)
  if (declaration === undefined) return {}
  const required = Object.entries(declaration.fields).filter(
    ([name, field]) => field.required || PLACES[entity] === name,
  )
  const values = required.flatMap(([name, field]) => {
    const [value] = field.to === undefined ? valuesFor(field, `Exemplo ${entity}`) : [ids[field.to]]
    return value === undefined ? [] : [[name, value] as const]
  })
  const named = Object.hasOwn(declaration.fields, 'name') ? { name: `Exemplo ${entity}` } : {}
  return { ...withoutHidden(declaration, { ...Object.fromEntries(values), ...named }), ...RULED[entity] }
}

const filesFor = async (entity: string) => (entity === 'cloudfile' ? { file: await uploadText(admin, 'Exemplo') } : {})
const DRAWN = ['dialog', 'handler']
const MADE = Object.keys(ENTITIES).filter(name => !['version', 'botservice', 'campaignupload'].includes(name))
const operators = { a: { type: 'marker', title: 'a', top: 0, left: 0, properties: { inputs: {}, outputs: {} } } }

beforeAll(async () => {
  document = (await parley.anyone.get('/openapi.json')).body as never
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } })
  ajv.addSchema(closed({ $id: 'openapi', components: document.components }) as object)
  // The version contains every entity made so far, so applying it removes none.
  for (const entity of [...MADE, 'version']) {
    const declaration = declarationOf(entity)
    if (declaration?.cardinality === 'one') {
      ids[entity] = await changedSingle(declaration)
      continue
    }
    const { status, text, body } = await admin.post(`/${entity}`, { ...bodyFor(entity), ...(await filesFor(entity)) })
    if (status !== 201) throw new Error(`${entity}: ${text}`)
    ids[entity] = body.id
    // Comments are about a block that is there.
    if (DRAWN.includes(entity)) await admin.put(`/${entity}/${body.id}/flow`, { operators, links: {} })
  }
  ids['nluproject model'] = await trainedModel(admin, 'intent', { nluproject: ids.nluproject })
  ids['brain model'] = await trainedModel(admin, 'nluintent', { brain: ids.brain })
  ids.contact = (await admin.post('/contact', { campaign: ids.campaign, phone: '11 98765-4321' })).body.id
  ids.contactjob = (await admin.post(`/segment/${ids.segment}/count`, {})).body.id
  ids.file = (await upload()).body.id
  ids.campaignupload = await uploadOf(admin, ids.campaignuploadprofile ?? '')
  ids.botservice = await serviceOf(admin, ids.bot ?? '')
  ids.conversation = await openChat(parley.origin, ids.channel ?? '')
  ids.desk = ids.conversation
  Object.assign(ids, await makeSimulated(admin, ids.bot ?? ''))
  const change = { action: 'change', ids: [ids.codesample], input: { description: 'Outra' } }
  ids.process = String((await admin.post('/codesample/bulk', change)).body.process)
  const file = { operators: { ...operators, b: { ...operators.a, title: 'b', top: 100 } }, links: {} }
  for (const kind of DRAWN) await admin.put(`/${kind}/${ids[kind]}/flow`, file)
}, 60_000)

/** Id of the one thing of its parent, changed once, so that it has a history. */
const changedSingle = async (declaration: EntityDeclaration): Promise<string> => {
  const { name, parent, fields } = declaration
  const [row] = (await admin.get(`/${name}${parent === 'none' ? '' : `?${parent}=${ids[parent]}`}`)).body.items
  const [path = ''] = changeable(declaration, [])
  const value = fields[path] === undefined ? undefined : valuesFor(fields[path], 'Exemplo').at(-1)
  await admin.patch(`/${name}/${row?.id}`, WHOLE[name] ?? { [path]: value }, 0)
  return String(row?.id)
}

const upload = (): Promise<Answer> => sendFile(admin, '/file', 'Exemplo', 'exemplo.txt')

const operations = (which: (method: string) => boolean): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) =>
      which(method) ? [{ method: method.toUpperCase(), path: path.slice(BASE.length), described }] : [],
    ),
  )

/** By their text: a schema that several operations share compiles once. */
const checks = new Map<string, ValidateFunction>()
const checkOf = (schema: object): ValidateFunction => {
  const text = JSON.stringify(schema)
  const check = checks.get(text) ?? ajv.compile(closed(schema) as object)
  checks.set(text, check)
  return check
}

const faultsOf = ({ method, path, described }: Operation, answer: Answer): string[] => {
  const { responses } = described
  const refused = REFUSED[`${method} ${path}`]
  if (refused !== undefined && refused !== answer.status)
    return [`${method} ${path}: ${answer.status} instead of ${refused}: ${answer.text.slice(0, 200)}`]
  const response = refused === undefined ? responses[String(answer.status)] : responses.default
  if (response === undefined)
    return [`${method} ${path}: ${answer.status} is not described: ${answer.text.slice(0, 200)}`]
  const schema = Object.values(response.content ?? {})[0]?.schema
  if (schema === undefined || answer.status === 204) return []
  if (!/json$|json;/.test(answer.headers.get('content-type') ?? '')) return []
  const check = checkOf(schema)
  if (check(answer.body)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${method} ${path} ${instancePath}: ${message} ${JSON.stringify(params)}`,
  )
}

const entityIn = (path: string): string => path.split('/')[1] ?? ''
const filled = (path: string): string =>
  path
    .replace('{id}', ids[SIMULATED_CAMPAIGN.test(path) ? 'simulated campaign' : entityIn(path)] ?? '')
    .replace('{persona}', '7')
    .replace('{key}', 'faq')
    .replace('{revision}', '1')
    .replace('{level}', ids.hierarchy ?? '')

const QUERIES: Readonly<Record<string, () => string>> = {
  ...contactQueries(ids),
  '/bot/live': () => `?ids=${ids.bot}`,
  '/bot/{id}/dropoff': () => `?dialog=${ids.dialog}`,
  '/bot/{id}/transfer': () => `?hierarchylevel=${ids.hierarchy}`,
  '/rehearsal/{id}/ways': () => '?group=1',
  '/rehearsal/{id}/conversation': () => '?conversation=none',
  '/user/{id}/transfer': () => `?hierarchylevel=${ids.hierarchy}`,
  '/search': () => '?search=Exemplo',
  '/people': () => `?ids=${ids.user}`,
  '/bot/{id}/flow/uses': () => '?of=variable&value=nome',
  '/bot/{id}/flow/find': () => '?text=a',
  '/bot/{id}/flow/callers': () => '?dialog=none',
  '/nluproject/{id}/evaluation': () => `?model=${ids['nluproject model']}`,
  '/brain/{id}/evaluation': () => `?model=${ids['brain model']}`,
  '/channel/{id}/activity': () => `?from=${new Date().toISOString()}`,
}
const queryOf = (path: string): string => {
  if (path.endsWith('/flow/diff')) return '?from=1&to=3'
  if (/^\/\w+\/hierarchy$/.test(path)) return `?id=${ids[entityIn(path)]}`
  return QUERIES[path]?.() ?? ''
}

/** Matches the described operations of a declared route. */
const patternOf = (name: string): RegExp => {
  const filled = name
    .replaceAll('{entity}', `(?:${Object.keys(ENTITIES).join('|')})`)
    .replaceAll('{kind}', '(?:dialog|handler)')
    .replaceAll('{action}', '\\w+')
  return new RegExp(`^${filled.replace(/[{}]/g, '\\$&')}$`)
}

/** Plain text for those who watch the gateway. */
const UNLISTED = ['GET /health/live', 'GET /health/ready', 'GET /metrics']

test('describes the declared routes with their bodies and answers, and no others [P-180]', () => {
  const described = operations(() => true).map(operation => ({
    ...operation,
    name: `${operation.method} ${operation.path}`,
  }))
  const covered = new Set<string>()
  for (const [name, { body, status }] of Object.entries<Route>(ROUTES)) {
    const pattern = patternOf(name)
    const matching = described.filter(operation => pattern.test(operation.name))
    expect(matching, name).not.toEqual([])
    for (const operation of matching.filter(({ name }) => !covered.has(name))) {
      covered.add(operation.name)
      expect(Object.keys(operation.described.responses), operation.name).toContain(String(status))
      expect(operation.described.requestBody !== undefined, `body of ${operation.name}`).toBe(body !== undefined)
    }
  }
  expect(described.map(({ name }) => name).filter(name => !covered.has(name))).toEqual(UNLISTED)
})

test('every read answers what the description of the API says', async () => {
  const faults: string[] = []
  const reads = operations(method => method === 'get')
  for (const operation of reads.filter(({ path }) => !PATHS_WITHOUT_ENTITY.has(`GET ${path}`))) {
    const answer = await admin.get(filled(operation.path) + queryOf(operation.path))
    faults.push(...faultsOf(operation, answer))
    if (operation.path.endsWith('/flow/history'))
      faults.push(...faultsOf(operation, await admin.get(`${filled(operation.path)}?fold=true`)))
  }
  expect(faults).toEqual([])
})

const WRITE_QUERIES: Readonly<Record<string, () => string>> = {
  '/contact/bulk': () => `?campaign=${ids.campaign}`,
  '/simulatednumber/{id}/clock': () => '?speed=2',
}

const CREDENTIAL = { id: 'YQ', rawId: 'YQ', type: 'public-key' }
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'e30', authenticatorData: 'YQ', signature: 'YQ', userHandle: 'YQ' },
}
const ATTESTATION = { ...CREDENTIAL, response: { clientDataJSON: 'e30', attestationObject: 'oA' } }

const HIT = { block: 'a', path: [], offset: 0 }
/** Bodies of the writes that do not follow from a declaration. */
const WRITES: Readonly<Record<string, () => object>> = {
  ...contactWrites(ids),
  ...simulatedWrites(ids),
  ...deskWrites,
  'POST /bottemplate/{key}': () => ({ name: 'Do modelo' }),
  'POST /notification/read': () => ({ all: true }),
  'POST /webhook/{id}/retry': () => ({ ids: ['none'] }),
  'POST /webhook/{id}/replay': () => ({ from: '2026-01-01' }),
  'POST /hierarchy/{id}/testalert': () => ({}),
  'POST /channel/{id}/testmessage': () => ({ to: '5511900000000', text: 'Teste' }),
  'POST /changehierarchylevel/{level}': () => ({}),
  'POST /auth/oidc/code': () => ({ token: '123456' }),
  'POST /identityprovider/{id}/testclaims': () => ({ query: 'state=none' }),
  'POST /auth/oidc/register2fa': () => ({}),
  'POST /auth/oidc/passkey': () => ASSERTION,
  'POST /auth/passkey/options': () => ({}),
  'POST /auth/seeas': () => ({ user: ids.user }),
  'POST /auth/session/end': () => ({ others: true }),
  'POST /user/{id}/endsessions': () => ({ ids: ['none'] }),
  'POST /bot/{id}/transfer': () => ({ hierarchylevel: ids.hierarchy }),
  'POST /user/{id}/transfer': () => ({ hierarchylevel: ids.hierarchy }),
  'POST /user/register2fa': () => ({}),
  'POST /user/recoverycodes': () => ({ password: ADMIN_PASSWORD }),
  'POST /user/passkey/options': () => ({}),
  'POST /user/passkey': () => ({ name: 'Exemplo', passkey: ATTESTATION }),
  'PATCH /user/passkey/{id}': () => ({ name: 'Exemplo' }),
  'POST /user/confirm': () => ({ password: ADMIN_PASSWORD }),
  'POST /user/password/forgot': () => ({ username: 'nobody' }),
  'POST /user/password/reset': () => ({ token: 'x', new: 'Outra-Senha-2026!', confirm: 'Outra-Senha-2026!' }),
  'POST /user/mail': () => ({ off: ['report'] }),
  'POST /user/password': () => ({ old: ADMIN_PASSWORD, new: 'Outra-Senha-2026!', confirm: 'Outra-Senha-2026!' }),
  'PUT /dialog/{id}/flow': () => ({ operators, links: {} }),
  'PUT /handler/{id}/flow': () => ({ operators, links: {} }),
  'POST /bot/{id}/flow/rename': () => ({ variable: 'Exemplo variable', name: 'outra' }),
  'POST /bot/{id}/flow/replace': () => ({ text: 'a', by: 'b', flows: [{ id: ids.dialog, hits: [HIT] }] }),
  'POST /dialog/{id}/flow/restore': () => ({ revision: 2 }),
  'POST /handler/{id}/flow/restore': () => ({ revision: 2 }),
  'POST /dialog/{id}/try/call': () => ({ properties: { url: 'http://127.0.0.1/{a}' }, values: { a: 1 } }),
  'POST /dialog/{id}/try/script': () => ({ properties: { js: 'console.log(1); ({ a: [1] })' } }),
  'POST /handler/{id}/try/script': () => ({ properties: { js: '{{' } }),
  'POST /dialog/{id}/try/feed': () => ({ properties: { url: 'http://127.0.0.1/feed' } }),
  'POST /handler/{id}/try/feed': () => ({ properties: { url: 'not an address' } }),
  'POST /metaaccount/{id}/requestcode': () => ({ code_method: 'SMS' }),
  'POST /metaaccount/{id}/verifycode': () => ({ code: '123456' }),
  'POST /metaaccount/{id}/registernumber': () => ({ pin: '123456' }),
  'POST /names': () => ({ ids: { bot: [] } }),
  'POST /suppression': () => ({ phone: '+55 11 98765-0001', reason: 'Exemplo' }),
  'POST /suppression/search': () => ({ phone: '+55 11 98765-0001' }),
  'POST /suppression/lift': () => ({ phone: '+55 11 98765-0001', reason: 'Exemplo' }),
  'POST /simulation/{id}/say': () => ({ text: 'Oi' }),
  'POST /simulation/{id}/rerun': () => ({ dialog: ids.dialog, block: 'start' }),
  'POST /simulation/{id}/set': () => ({ name: 'nome', value: 'Ana' }),
  'POST /simulation/{id}/clock': () => ({ now: '2030-01-01T00:00:00Z' }),
  'POST /simulation/{id}/test': () => ({ name: 'Exemplo' }),
  'POST /conversation/{id}/test': () => ({ name: 'Exemplo' }),
  'POST /bot/{id}/readtests': () => ({ name: 'a.txt', text: 'bot: Oi\nuser: Oi' }),
  'POST /process/{id}/undo': () => ({}),
  'PUT /desk/state': () => ({ state: 'available' }),
  'POST /desk/enable': () => ({ bot: ids.bot }),
  'POST /nluproject/{id}/compare': () => ({ model: ids['nluproject model'], other: ids['nluproject model'] }),
  'POST /brain/{id}/compare': () => ({ model: 'none', other: 'none', lines: [{ text: 'Oi', intent: 'a' }] }),
  'POST /handler/{id}/try/call': () => ({ properties: { url: '{1 +}' } }),
}

/** A body that the operation accepts, or that it refuses for how things stand. */
const bodyOf = async (method: string, path: string): Promise<{ body: object; headers: Record<string, string> }> => {
  const given = WRITES[`${method} ${path}`]
  if (given !== undefined) return { body: given(), headers: method === 'PUT' ? { 'if-match': '*' } : {} }
  const entity = entityIn(path)
  if (method === 'PATCH') {
    const { revision } = (await admin.get(filled(path))).body
    return { body: {}, headers: { 'if-match': `"${revision}"` } }
  }
  if (method === 'POST' && path === `/${entity}`) {
    const another = { name: `Outro-${entity}`, username: 'outro', code: 'b', major: 2 }
    const body = { ...bodyFor(entity), ...(await filesFor(entity)) }
    return {
      body: { ...body, ...Object.fromEntries(Object.entries(another).filter(([key]) => key in body)) },
      headers: {},
    }
  }
  if (path === '/deskqueue/{id}/move') {
    const { id } = (await admin.post('/deskqueue', { name: 'Outra fila' })).body
    return { body: { to: id }, headers: {} }
  }
  if (path === '/hierarchy/{id}/move') {
    const { parent } = (await admin.get(filled('/hierarchy/{id}'))).body
    return { body: { parent }, headers: {} }
  }
  if (path.endsWith('/publishuntested')) return { body: { reason: 'Exemplo', confirm: 'CONFIRM' }, headers: {} }
  if (/\/set(?:production|test)$/.test(path)) return { body: { model: ids[`${entity} model`] }, headers: {} }
  if (path.endsWith('/reviewline')) return { body: { line: 'a', as: 'b' }, headers: {} }
  if (path.endsWith('/dismissline')) return { body: { line: 'a'.repeat(64) }, headers: {} }
  if (path.endsWith('/checkstory')) return { body: { story: null, steps: [] }, headers: {} }
  if (path.endsWith('/parse')) return { body: { text: 'Oi' }, headers: {} }
  if (path.endsWith('/bulk')) return { body: { action: 'remove', ids: ['nobody'], confirm: 'CONFIRM' }, headers: {} }
  if (path.endsWith('/restore')) return { body: { revision: 1 }, headers: {} }
  const confirms =
    method === 'DELETE' ? ENTITIES[entity as keyof typeof ENTITIES]?.confirm : /apply$|forget$/.test(path)
  return { body: confirms ? { confirm: 'CONFIRM' } : {}, headers: {} }
}

/** Order: what needs a proof of the last 5 minutes comes first, deletions come last, containers after their contents. */
const rank = ({ method, path }: Operation): number => {
  if (path === '/user/confirm') return -2
  if (/^\/user\/(?:passkey|register2fa)/u.test(path)) return -1
  return method === 'DELETE' ? 1000 - Object.keys(ENTITIES).indexOf(entityIn(path)) : /forget$/.test(path) ? 900 : 0
}

test('an upload answers as the description of the API says', async () => {
  const operation = operations(method => method === 'post').find(({ path }) => path === '/file')
  expect(operation?.described).toMatchObject({ requestBody: { content: { 'multipart/form-data': {} } } })
  expect(operation && faultsOf(operation, await upload())).toEqual([])
})

test('lists removed entities as described in the API', async () => {
  const operation = operations(method => method === 'get').find(({ path }) => path === '/codesample')
  const { id } = (await admin.post('/codesample', { name: 'Some' })).body
  await admin.delete(`/codesample/${id}`)
  const answer = await admin.get('/codesample?removed=true')
  expect(answer.body.items).toMatchObject([{ id, removed: true }])
  expect(operation && faultsOf(operation, answer)).toEqual([])
})

test('every write answers, or refuses, as the description of the API says', async () => {
  const faults: string[] = []
  ids.simulation = (await admin.post(`/bot/${ids.bot}/simulation`, {})).body.simulation as unknown as string
  const writes = operations(method => method !== 'get').filter(
    ({ method, path }) => !/\/(?:import|upload)$/u.test(path) && !PATHS_WITHOUT_ENTITY.has(`${method} ${path}`),
  )
  for (const { method, path, described } of writes.toSorted((a, b) => rank(a) - rank(b))) {
    const { body, headers } = await bodyOf(method, path)
    const init = { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
    const answer = await admin.send(method, filled(path) + (WRITE_QUERIES[path]?.() ?? ''), init)
    const refused = answer.status === 409 ? { ...described.responses, 409: described.responses.default } : {}
    const responses = { ...described.responses, ...refused } as Operation['described']['responses']
    faults.push(...faultsOf({ method, path, described: { responses } }, answer))
  }
  expect(faults).toEqual([])
})
