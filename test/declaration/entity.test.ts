import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { caller, openWorkbench, type Workbench } from '#commands/fixture/workbench.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { defineEntity, type EntityDeclaration, permissionsOf } from '#schemas/entity.ts'
import { boolean, reference, string, text } from '#schemas/field/field.ts'
import type { Field } from '#schemas/field/kind.ts'

/** An entity that nothing else in the project has heard of. */
const postcard = defineEntity({
  name: 'postcard',
  type: 'Postcard',
  parent: 'bot',
  icon: 'Mail',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    greeting: text({ secretWhen: 'sealed' }),
    sealed: boolean(),
  },
  unique: [{ field: 'name', within: 'bot' }],
  title: 'name',
  list: { columns: [{ field: 'name', as: 'name' }], search: ['name'] },
  form: [{ id: 'general', fields: ['name', 'greeting', 'sealed'] }],
  actions: {},
  confirm: false,
})

const bench = await openWorkbench()
const commands = bench.again({ entities: { ...ENTITIES, postcard } })
afterAll(() => bench.close())

const run = async (action: string, id: string, input: Parameters<Workbench['run']>[3], revision?: number) => {
  const command = { entity: 'postcard', action, id, input: input ?? {}, caller: caller(), correlation: 'c' }
  return commands.execute({ ...command, ...(revision === undefined ? {} : { revision }) })
}
const must = async (...given: Parameters<typeof run>) => {
  const outcome = await run(...given)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal))
  return outcome
}

test('one declaration gives an entity its commands, events, references, unique names, secrets and permissions', async () => {
  const bot = (await bench.must('bot', 'create', '', { name: 'Correio' })).id
  expect(await run('create', '', { name: 'Oi', bot: 'nowhere' })).toMatchObject({
    refusal: { errors: [{ path: 'bot', code: 'reference' }] },
  })
  const { id } = await must('create', '', { name: 'Oi', greeting: 'olá', bot })
  expect(await run('create', '', { name: 'OI', bot })).toMatchObject({ refusal: { code: 'entity.name.taken' } })
  await must('change', id, { sealed: true }, 1)
  await must('remove', id, {})
  await must('restore', id, { revision: 1, fields: ['name'] })
  const events = await bench.events(`postcard-${id}`)
  expect(events.map(({ type }) => type)).toEqual([
    'PostcardCreated',
    'PostcardChanged',
    'PostcardRemoved',
    'PostcardRestored',
  ])
  expect(events[1]?.data.fields).toMatchObject({ sealed: true, greeting: { $secret: expect.anything() } })
  expect(permissionsOf(postcard)).toEqual(['readpostcard', 'createpostcard', 'updatepostcard', 'deletepostcard'])
})

test('is removed and restored with its bot, like every entity in a bot', async () => {
  const bot = (await bench.must('bot', 'create', '', { name: 'Vai e vem' })).id
  const { id } = await must('create', '', { name: 'Vai', bot })
  const lookup = {
    ...bench.lookup,
    children: async (entity: string, of: string, child: string) =>
      child === 'postcard' ? (of === bot ? [id] : []) : bench.lookup.children(entity, of, child),
  }
  const knowing = bench.again({ entities: { ...ENTITIES, postcard }, lookup })
  const about = { entity: 'bot', id: bot, caller: caller(), correlation: 'c' }
  expect(await knowing.execute({ ...about, action: 'remove', input: { confirm: 'CONFIRM' } })).toMatchObject({
    ok: true,
  })
  expect((await bench.events(`postcard-${id}`)).at(-1)?.type).toBe('PostcardRemoved')
  expect(await knowing.execute({ ...about, action: 'restore', input: { revision: 1 } })).toMatchObject({ ok: true })
  expect((await bench.events(`postcard-${id}`)).at(-1)?.type).toBe('PostcardRestored')
})

const FOLDERS = ['schemas', 'domain', 'commands', 'projections', 'realtime', 'runtime', 'gateway', 'web']

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist', 'locales'].includes(entry.name) ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
  })

test('a plain entity is named in its declaration and its line of the registry, and nowhere else', () => {
  const root = join(import.meta.dirname, '..', '..')
  const naming = FOLDERS.flatMap(folder => sources(join(root, folder)))
    .filter(path => /\bcodesample\b/i.test(readFileSync(path, 'utf8')))
    .map(path => path.slice(root.length + 1))
    .filter(path => !ALLOWED.some(allowed => path === allowed || path.startsWith(allowed)))
  expect(naming).toEqual([])
})

/** Its declaration, the registry and what a search covers; the menu actions that the specification lists; sample data. */
const ALLOWED = [
  'schemas/entities/codesample.ts',
  'schemas/entities/sitesearchindex.ts',
  'schemas/entities/registry.ts',
  'domain/people/permission.ts',
  'runtime/sample/',
]

test('an address with a name or a password is refused in every field that holds one [P-2045]', () => {
  const inItems = (field: Field): readonly Field[] => ('item' in field ? Object.values(field.item) : [])
  const held = Object.values<EntityDeclaration>(ENTITIES).flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, declared]) =>
      [declared, ...inItems(declared)].map(({ kind, schema }) => ({ name: `${name}.${field}`, kind, schema })),
    ),
  )
  const addresses = held.filter(({ name, kind }) => kind === 'url' || kind === 'image' || name.endsWith('.issuer'))
  expect(addresses.length).toBeGreaterThan(15)
  const rules = addresses.map(({ name, schema }) => {
    expect(schema.safeParse('https://host.example/a.mp3').success, name).toBe(true)
    const [issue] = schema.safeParse('https://ana:word@host.example/a.mp3').error?.issues ?? []
    expect(schema.safeParse('https://ana@host.example/a.mp3').success, name).toBe(false)
    return issue?.code === 'custom' ? `${name} ${issue.params?.rule}` : `${name} ${issue?.code}`
  })
  const others = rules.filter(rule => !rule.endsWith(' credentials') && !rule.endsWith(' invalid_union'))
  expect(others.toSorted()).toEqual(['identityprovider.issuer invalid_format', 'webhook.url signedaddress'])
})
