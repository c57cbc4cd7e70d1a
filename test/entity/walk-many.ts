import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { csvRecord, fieldColumns, keyColumns } from '#domain/csv/cell.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Client } from '#test/api/harness.ts'
import { covering } from '#test/fixture/covering.ts'
import { isFull } from '#test/fixture/full.ts'
import type { EntityWorld } from './gateway.ts'
import { allEntities, changesOf, type Fields, type Maker } from './maker.ts'
import { changeable } from './values.ts'

let admin: Client
let maker: Maker

const many = allEntities().filter(({ cardinality }) => cardinality !== 'one')
/** Traits of an entity that change how the walk treats many rows at once. */
const traitsOf = (entity: EntityDeclaration): readonly string[] => [
  `parent ${parentField(entity) ?? 'none'}`,
  `confirm ${entity.confirm}`,
  `import ${entity.import !== undefined}`,
  ...Object.values(entity.fields).map(({ kind, secret, personal }) => `${kind} ${secret} ${personal}`),
]
/** `npm run test:full` takes all of them. */
const covered = isFull ? many : covering(many, traitsOf)
const named = (entities: readonly EntityDeclaration[]) => entities.map(entity => [entity.name, entity] as const)

const bulk = async (entity: EntityDeclaration, body: object) => {
  const { status, text, body: started } = await admin.post(`/${entity.name}/bulk`, body)
  expect(status, text).toBe(202)
  return vi.waitFor(
    async () => {
      const { body: report } = await admin.get(`/process/${String(started.process)}`)
      expect(report.state).toBe('finished')
      return report
    },
    { timeout: 20_000, interval: 20 },
  )
}
/** Read models follow the process: its writes appear soon after its end. */
const statuses = (entity: EntityDeclaration, ids: readonly string[]) =>
  expect.poll(() => Promise.all(ids.map(async id => (await admin.get(`/${entity.name}/${id}`)).status)), {
    timeout: 10_000,
    interval: 20,
  })

/** Called in a test file. */
export const describeBulk = (open: () => EntityWorld): void => {
  beforeAll(() => {
    ;({ admin, maker } = open())
  })

  describe('many things of every entity are changed, removed and brought back at once [P-162]', () => {
    test.each(named(covered))('%s', async (_, entity) => {
      const [a, b] = [await maker.make(entity), await maker.make(entity)]
      const ids = [a.id, b.id]
      const { path, first } = changesOf(entity, a.fields)
      const isPersonal = entity.fields[path]?.personal === true
      if (!isPersonal) {
        const changed = await bulk(entity, { action: 'change', ids: [a.id], input: { [path]: first } })
        expect(changed).toMatchObject({ changed: 1, refused: [] })
        const value = async () => (await admin.get(`/${entity.name}/${a.id}`)).body[path as 'id']
        await expect.poll(value, { timeout: 10_000, interval: 20 }).toEqual(first)
      }
      const confirm = entity.confirm ? { confirm: 'CONFIRM' } : {}
      expect(await bulk(entity, { action: 'remove', ids, ...confirm })).toMatchObject({ changed: 2, refused: [] })
      await statuses(entity, ids).toEqual([404, 404])
      expect(await bulk(entity, { action: 'restore', ids })).toMatchObject({ changed: 2, refused: [] })
      await statuses(entity, ids).toEqual([200, 200])
    })
  })

  const exported = async (entity: EntityDeclaration) => {
    const { status, text } = await admin.get(`/${entity.name}/export`)
    expect(status, text).toBe(200)
    const [header = [], ...records] = parse(text) as string[][]
    return { text, header, records }
  }

  /** A changeable field that takes text which a spreadsheet would run. */
  const formulaField = (entity: EntityDeclaration) =>
    changeable(entity, []).find(name => entity.fields[name]?.schema.safeParse('=1+1').success === true)

  const secretsOf = (entity: EntityDeclaration, fields: Fields) =>
    Object.entries(entity.fields).flatMap(([name, field]) =>
      field.secret && typeof fields[name] === 'string' ? [String(fields[name])] : [],
    )

  describe('every entity is exported by its declared columns, as text and without secrets [P-163]', () => {
    test.each(named(many))('%s', async (_, entity) => {
      const { id, fields } = await maker.make(entity)
      const field = formulaField(entity)
      const { revision } = (await admin.get(`/${entity.name}/${id}`)).body
      if (field !== undefined)
        expect((await admin.patch(`/${entity.name}/${id}`, { [field]: '=1+1' }, revision)).status).toBe(200)
      const { text, header, records } = await exported(entity)
      expect(header).toEqual([...keyColumns(entity), ...fieldColumns(entity)])
      const record = records.find(([first]) => first === id)
      if (field !== undefined && header.includes(field)) expect(record?.[header.indexOf(field)]).toBe("'=1+1")
      for (const secret of secretsOf(entity, fields)) expect(text).not.toContain(secret)
    })
  })

  const importCsv = async (entity: EntityDeclaration, records: readonly (readonly string[])[], dryrun: boolean) => {
    const { status, body } = await admin.send('POST', `/${entity.name}/import?dryrun=${dryrun}`, {
      headers: { 'content-type': 'text/csv' },
      body: records.map(csvRecord).join(''),
    })
    return { status, body: body as unknown as Record<string, unknown> }
  }

  /** The imported columns of one row, with some values replaced. */
  const rowWith = (columns: readonly string[], values: Fields, more: Fields) =>
    columns.map(name => String({ ...values, ...more }[name] ?? ''))

  /** Kinds whose cell is the value as text. */
  const TEXT: ReadonlySet<string> = new Set([
    'string',
    'text',
    'enumeration',
    'reference',
    'boolean',
    'url',
    'email',
    'phone',
    'integer',
    'number',
    'duration',
  ])

  describe('every entity that declares it is imported: tried first, then applied [P-164]', () => {
    test.each(named(many.filter(entity => entity.import !== undefined)))('%s', async (_, entity) => {
      const [a, b] = [await maker.make(entity), await maker.make(entity)]
      const columns = [
        'id',
        'revision',
        ...fieldColumns(entity).filter(name => {
          const field = entity.fields[name]
          return field !== undefined && !field.readonly && TEXT.has(field.kind)
        }),
      ]
      const [rowA, rowB] = [
        (await admin.get(`/${entity.name}/${a.id}`)).body,
        (await admin.get(`/${entity.name}/${b.id}`)).body,
      ]
      const { path, first, second } = changesOf(entity, a.fields)
      const change = rowWith(columns, rowA as unknown as Fields, { [path]: first })
      const same = rowWith(columns, rowB as unknown as Fields, {})
      const create = rowWith(columns, rowA as unknown as Fields, { id: '', revision: '', [path]: second })
      const file = [columns, change, same, create]
      const dry = await importCsv(entity, file, true)
      expect(dry).toMatchObject({
        status: 200,
        body: { created: 1, changed: 1, unchanged: 1, refused: [] },
      })
      expect(dry.body.items).toMatchObject([
        { outcome: 'changed', id: a.id, changes: [{ path, before: a.fields[path], after: first }] },
        { outcome: 'unchanged', id: b.id },
        { outcome: 'created' },
      ])
      expect((await admin.get(`/${entity.name}/${a.id}`)).body.revision).toBe(rowA.revision)
      const done = await importCsv(entity, file, false)
      expect(done).toMatchObject({ status: 200, body: { created: 1, changed: 1, unchanged: 1, refused: [] } })
      expect((await admin.get(`/${entity.name}/${a.id}`)).body[path as 'id']).toEqual(first)
      const gone = rowWith(columns, rowB as unknown as Fields, { id: 'nobody', revision: '1' })
      const refused = await importCsv(entity, [columns, gone], false)
      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'import.refused', refused: [{ row: 1, errors: [{ path: 'id', code: 'reference' }] }] },
      })
    })
  })

  const listFields = ({ fields }: EntityDeclaration) =>
    Object.entries(fields).flatMap(([name, field]) => (field.kind === 'list' ? [[name, field] as const] : []))

  const importable = many.filter(entity => entity.import !== undefined)
  const sendCsv = async (entity: EntityDeclaration, body: string, dryrun: boolean) => {
    const headers = { 'content-type': 'text/csv' }
    const { body: answer } = await admin.send('POST', `/${entity.name}/import?dryrun=${dryrun}`, { headers, body })
    return answer as unknown as Record<string, unknown>
  }

  describe('every entity that declares it takes back what it exports, lists as JSON in one cell [P-450]', () => {
    test.each(named(importable))('%s', async (_, entity) => {
      await maker.make(entity)
      const { text, records } = await exported(entity)
      expect(await sendCsv(entity, text, true)).toMatchObject({
        created: 0,
        changed: 0,
        unchanged: records.length,
        refused: [],
      })
    })

    const withLists = importable.flatMap(entity =>
      listFields(entity).map(([name, field]) => [`${entity.name}.${name}`, entity, name, field] as const),
    )
    test.each(withLists)('items of %s', async (_, entity, name, { item, itemTitle }) => {
      const { id } = await maker.make(entity)
      const secrets = Object.keys(item).filter(member => item[member]?.secret === true)
      const itemOf = (title: string) => ({
        [itemTitle]: title,
        ...Object.fromEntries(secrets.map(member => [member, 'itemsecret'])),
      })
      const items = async () => (await admin.get(`/${entity.name}/${id}`)).body[name as 'id'] as unknown as Fields[]
      const { revision } = (await admin.get(`/${entity.name}/${id}`)).body
      const patch = await admin.patch(`/${entity.name}/${id}`, { [name]: [itemOf('=1+1'), itemOf('kept')] }, revision)
      expect(patch.status, patch.text).toBe(200)

      const { text, header, records } = await exported(entity)
      const cell = records.find(([first]) => first === id)?.[header.indexOf(name)] ?? ''
      expect(text).not.toContain('itemsecret')
      expect(cell).not.toContain('"=1+1"')
      const [formula, kept] = JSON.parse(cell) as [Fields, Fields]
      expect(formula[itemTitle]).toBe('=1+1')

      const columns = ['id', 'revision', name]
      const row = (value: unknown) => csvRecord([id, String(revision + 1), JSON.stringify(value)])
      const file = (value: unknown) => csvRecord(columns) + row(value)
      // An item without its id is known by its title; another one is new.
      const { id: _id, ...unnamed } = kept
      const next = file([unnamed, { [itemTitle]: 'new' }])
      expect(await sendCsv(entity, next, true)).toMatchObject({ changed: 1, refused: [] })
      expect(await items()).toHaveLength(2)
      const done = await sendCsv(entity, next, false)
      expect(done).toMatchObject({ changed: 1, refused: [] })
      expect(JSON.stringify(done)).not.toContain('$secret')
      const stored = await items()
      expect(stored).toMatchObject([
        { id: kept.id, [itemTitle]: 'kept', ...Object.fromEntries(secrets.map(member => [member, { set: true }])) },
        { [itemTitle]: 'new' },
      ])

      const refused = async (value: string) =>
        (await sendCsv(entity, csvRecord(columns) + csvRecord([id, String(revision + 2), value]), true)).refused
      expect(await refused('[{')).toMatchObject([{ row: 1, errors: [{ path: name, code: 'format' }] }])
      expect(await refused(JSON.stringify([...stored, { nothing: 1 }]))).toMatchObject([
        {
          row: 1,
          errors: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(`^${name}\\.2`) })]),
        },
      ])
    })
  })
}
