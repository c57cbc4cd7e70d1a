import { afterAll, describe, expect, test, vi } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { isInVersionRoot } from '#schemas/versioned.ts'
import { startInProcess } from './gateway.ts'
import { changeable, givable, neededReferences, valuesFor, withoutHidden } from './values.ts'

vi.mock('#schemas/entities/registry.ts', async load => (await import('./test-entities.ts')).withTestEntities(load))

type Fields = Readonly<Record<string, Json>>

const parley = await startInProcess()
const admin = parley.admin
afterAll(() => parley.close())

const CONFIRM = { confirm: 'CONFIRM' }
const DECLARED: readonly EntityDeclaration[] = Object.values(ENTITIES)
const TAKEN = DECLARED.filter(entity => entity.versioned === true)

let marks = 0
const newMark = () => `v${++marks}x`

const valuesOf = (entity: EntityDeclaration, names: readonly string[]): Fields => {
  const mark = newMark()
  return Object.fromEntries(
    names.flatMap(name => {
      const field = entity.fields[name]
      const values = field === undefined ? [] : valuesFor(field, mark)
      // Of enumerated values, the second is never the default.
      const value = field?.kind === 'enumeration' ? values[1] : values[0]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const post = (entity: string, fields: object) => admin.create(entity, fields)
const patch = async (entity: string, id: string, fields: object) => {
  const { revision } = await get(entity, id)
  const { status, text } = await admin.patch(`/${entity}/${id}`, fields, Number(revision))
  expect(status, text).toBe(200)
}
const get = async (entity: string, id: string) => {
  const { status, text, body } = await admin.get(`/${entity}/${id}`)
  expect(status, `${entity} ${id} ${text}`).toBe(200)
  return body as unknown as Fields
}
const idsIn = async (entity: EntityDeclaration, parent: string) =>
  (await admin.get(`/${entity.name}?size=100&${parentField(entity)}=${parent}`)).body.items.map(({ id }) => String(id))

/** Without revision, time and author. */
const stateOf = async (entity: string, id: string): Promise<Fields> => {
  const { revision: _revision, modified_at: _time, modified_by: _actor, ...fields } = await get(entity, id)
  return fields
}

const newBot = () => post('bot', { name: `Bot ${newMark()}` })
const keep = (bot: string) => post('version', { bot, name: 'v1' })
const apply = async (version: string) => {
  const applied = await admin.post(`/version/${version}/apply`, CONFIRM)
  expect(applied.status, applied.text).toBe(200)
  return applied.body
}
const previewed = async (version: string) => {
  const { status, text, body } = await admin.get(`/version/${version}/preview`)
  expect(status, text).toBe(200)
  return body.things as readonly { entity: string; id: string; state: string; changes: readonly { path: string }[] }[]
}

/** Creates an entity in a bot, with all its containers. */
const makeIn = async (entity: EntityDeclaration, bot: string): Promise<string> => {
  const field = parentField(entity) ?? ''
  const above = DECLARED.find(({ name }) => name === field)
  const parent = field === 'bot' || above === undefined ? bot : await makeIn(above, bot)
  if (isSingle(entity)) {
    const [id = ''] = await idsIn(entity, parent)
    return id
  }
  return post(entity.name, { ...(await newValues(entity, bot)), [field]: parent })
}

/** A value in each field that is shown, with what they must refer to in the bot. */
const newValues = async (entity: EntityDeclaration, bot: string): Promise<Fields> => {
  const values = withoutHidden(entity, valuesOf(entity, givable(entity, [])))
  const targets: Record<string, string> = {}
  for (const name of neededReferences(entity, values)) {
    const target = DECLARED.find(one => one.name === entity.fields[name]?.to)
    if (target !== undefined) targets[name] = await makeIn(target, bot)
  }
  return { ...values, ...targets }
}

/** New values in the fields visible now; fields that control visibility stay. */
const otherValues = (entity: EntityDeclaration, present: Fields): Fields => {
  const deciding = new Set(Object.values(entity.fields).flatMap(({ when }) => Object.keys(when ?? {})))
  const names = changeable(entity, []).filter(name => !deciding.has(name))
  return withoutHidden(entity, { ...present, ...valuesOf(entity, names) }, names)
}

describe('a version brings back what the declaration says that it takes [P-142]', () => {
  test.each(TAKEN.map(entity => [entity.name, entity] as const))('%s', async (name, entity) => {
    const bot = await newBot()
    const id = await makeIn(entity, bot)
    await patch(name, id, otherValues(entity, await get(name, id)))
    const before = await stateOf(name, id)
    const version = await keep(bot)
    expect(await previewed(version)).toEqual([])

    await patch(name, id, otherValues(entity, before))
    const field = parentField(entity) ?? ''
    const parent = String(before[field])
    const fresh = { ...(await newValues(entity, bot)), [field]: parent }
    const extra = isSingle(entity) ? undefined : await post(name, fresh)
    const things = (await previewed(version)).filter(thing => thing.entity === name)
    expect(things.map(thing => [thing.id, thing.state])).toEqual([
      [id, 'changed'],
      ...(extra === undefined ? [] : [[extra, 'removed']]),
    ])
    expect(things[0]?.changes.map(({ path }) => path)).toContain(entity.title)

    await apply(version)
    expect(await stateOf(name, id)).toEqual(before)
    expect(await previewed(version)).toEqual([])
    if (isSingle(entity)) return
    expect(await idsIn(entity, parent)).toEqual([id])
    await admin.delete(`/${name}/${id}`, CONFIRM)
    expect((await previewed(version)).map(thing => thing.state)).toContain('added')
    await apply(version)
    expect(await stateOf(name, id)).toEqual(before)
  })
})

const single = async (entity: string, parent: string, field: string) => {
  const { body } = await admin.get(`/${entity}?${field}=${parent}`)
  return String(body.items[0]?.id)
}

describe('a version of a bot with files, lists, secrets and references', () => {
  const pngOf = async () => {
    const form = new FormData()
    const bytes = Buffer.from(
      `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=`,
      'base64',
    )
    form.set('file', new Blob([bytes]), `${newMark()}.png`)
    const { status, text, body } = await admin.send('POST', '/file', { body: form })
    expect(status, text).toBe(201)
    return { ...body } as unknown as Json
  }

  test('keeps the secrets that are there and takes none along [P-143]', async () => {
    const bot = await newBot()
    const shelf = await post('shelf', { bot, name: 'Shelf' })
    const chapters = [{ id: 'one', title: 'One', password: 'planted-in-item' }]
    const manual = await post('manual', { shelf, name: 'Manual', key: 'planted-key', chapters })
    const open = await post('globalvariable', { bot, name: 'open', value: 'shown' })
    const secret = await post('globalvariable', { bot, name: 'closed', value: 'planted-value', secret: true })
    const version = await keep(bot)
    const file = (await admin.get(`/version/${version}/download`)).text
    expect(file).not.toContain('planted')
    expect(file).not.toContain('$secret')
    expect(file).toContain('shown')

    await patch('globalvariable', open, { value: 'hidden-now', secret: true })
    await patch('globalvariable', secret, { name: 'renamed' })
    await patch('manual', manual, { chapters: [{ id: 'one', title: 'Uno', password: { set: true } }] })
    expect(JSON.stringify(await previewed(version))).not.toContain('hidden-now')
    await apply(version)
    expect(await get('globalvariable', open)).toMatchObject({ value: 'shown', secret: false })
    expect(await get('globalvariable', secret)).toMatchObject({ name: 'closed', value: { set: true }, secret: true })
    expect(await get('manual', manual)).toMatchObject({
      key: { set: true },
      chapters: [{ id: 'one', title: 'One', password: { set: true } }],
    })
  })

  test('brings back what exists once in a bot and in a thing of it, defaults too, and keeps its secret [P-144]', async () => {
    const bot = await newBot()
    const shelf = await post('shelf', { bot, name: 'Shelf' })
    const ofBot = await single('botpreference', bot, 'bot')
    const ofShelf = await single('lighting', shelf, 'shelf')
    await patch('lighting', ofShelf, { greeting: 'set', key: 'planted' })
    const version = await keep(bot)
    await patch('botpreference', ofBot, { greeting: 'changed', timeout: 5, key: 'planted' })
    await patch('lighting', ofShelf, { greeting: 'changed', timeout: 5 })
    await apply(version)
    expect(await get('botpreference', ofBot)).toMatchObject({ greeting: 'hello', timeout: 40_000, key: { set: true } })
    expect(await get('lighting', ofShelf)).toMatchObject({
      greeting: 'set',
      timeout: 40_000,
      key: { set: true },
    })

    const other = await newBot()
    const target = await upload(other, await downloaded(version))
    await apply(target)
    const [shelfThere = ''] = (await admin.get(`/shelf?bot=${other}`)).body.items.map(({ id }) => String(id))
    const there = await single('lighting', shelfThere, 'shelf')
    expect(await get('lighting', there)).toMatchObject({ greeting: 'set', timeout: 40_000, key: null })
  })

  test('turns references within the bot, keeps those to the outside that still stand, and brings files back [P-145]', async () => {
    const bot = await newBot()
    const shelf = await post('shelf', { bot, name: 'Shelf' })
    const [one, two] = [await post('crate', { shelf, name: 'One' }), await post('crate', { shelf, name: 'Two' })]
    const depot = await post('depot', { name: newMark() })
    const cover = await pngOf()
    const more = { cover, edition: 'first', crate: one, crates: [one, two], depot, steps: [{ id: 's', title: 'Step' }] }
    const manual = await post('manual', { shelf, name: 'Manual', ...more })
    const receipt = await post('receipt', { bot, name: 'Receipt' })
    const before = await stateOf('manual', manual)
    const version = await keep(bot)
    await patch('manual', manual, { cover: await pngOf(), crate: two, crates: [], depot: null, steps: [] })
    const later = await post('shelf', { bot, name: 'Later' })
    await patch('receipt', receipt, { shelf: later })
    await apply(version)
    expect(await stateOf('manual', manual)).toEqual(before)
    // Versions exclude receipts: it stays, without its reference to the removed entity.
    expect(await get('receipt', receipt)).toMatchObject({ name: 'Receipt', shelf: null })

    const other = await newBot()
    await apply(await upload(other, await downloaded(version)))
    const of = async (entity: string, field: string, parent: string) =>
      (await admin.get(`/${entity}?${field}=${parent}&sort=name`)).body.items as readonly Fields[]
    const [there] = await of('shelf', 'bot', other)
    const crates = await of('crate', 'shelf', String(there?.id))
    const [copy] = await of('manual', 'shelf', String(there?.id))
    expect(copy).toMatchObject({ edition: 'first', depot, crate: crates[0]?.id, crates: crates.map(({ id }) => id) })
    expect(crates.map(({ id }) => id)).not.toContain(one)
  })

  test('a file that neither the bot nor the caller has does not come with an uploaded version [P-145]', async () => {
    const bot = await newBot()
    const shelf = await post('shelf', { bot, name: 'Shelf' })
    const manual = await post('manual', { shelf, name: 'Manual', cover: await pngOf() })
    const strange = (await downloaded(await keep(bot))).replaceAll(/"id":"[\da-f]{64}"/gu, `"id":"${'a'.repeat(64)}"`)
    const version = await upload(bot, strange)
    const { cleared } = await apply(version)
    expect(cleared).toEqual([{ path: 'cover', id: 'a'.repeat(64), of: { entity: 'manual', id: manual } }])
    expect(await get('manual', manual)).toMatchObject({ cover: null })
  })

  test('leaves what a file does not know of as it is [P-146]', async () => {
    const bot = await newBot()
    const shelf = await post('shelf', { bot, name: 'Shelf' })
    await post('crate', { shelf, name: 'Crate' })
    await post('variable', { bot, name: 'old' })
    const preference = await single('botpreference', bot, 'bot')
    await patch('botpreference', preference, { greeting: 'mine' })
    const file = { format: 'parley-version', version: 1, name: 'partial', bot: {}, variables: [] }
    await apply(await upload(bot, JSON.stringify({ ...file, bot: { name: 'x' } })))
    expect((await admin.get(`/shelf?bot=${bot}`)).body.total).toBe(1)
    expect((await admin.get(`/crate?shelf=${shelf}`)).body.total).toBe(1)
    expect((await admin.get(`/variable?bot=${bot}`)).body.total, 'an empty list is none').toBe(0)
    expect(await get('botpreference', preference)).toMatchObject({ greeting: 'mine' })
  })
})

test('a duplicate has what exists once in the original, without its secret [P-149]', async () => {
  const task = await post('dialogtask', { bot: await newBot(), name: 'Task' })
  const preference = await single('taskpreference', task, 'dialogtask')
  await patch('taskpreference', preference, { greeting: 'mine', key: 'planted' })
  const { status, text, body } = await admin.post(`/dialogtask/${task}/duplicate`, {})
  expect(status, text).toBe(200)
  const copy = await single('taskpreference', body.id, 'dialogtask')
  expect(copy).not.toBe(preference)
  expect(await get('taskpreference', copy)).toMatchObject({ dialogtask: body.id, greeting: 'mine', key: null })
})

const downloaded = async (version: string) => (await admin.get(`/version/${version}/download`)).text
const upload = async (bot: string, text: string) => {
  const form = new FormData()
  form.set('file', new Blob([text]), 'v.json')
  const { status, text: answer, body } = await admin.send('POST', `/version/upload?bot=${bot}`, { body: form })
  expect(status, answer).toBe(201)
  return body.id
}

test('every entity in a bot says whether versions take it', () => {
  for (const entity of DECLARED)
    expect([entity.name, entity.versioned !== undefined]).toEqual([entity.name, isInVersionRoot(ENTITIES, entity)])
})
