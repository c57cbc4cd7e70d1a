import { expect } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { Client } from '#test/api/harness.ts'
import { uploadText } from '#test/api/upload.ts'
import { changeable, givable, neededReferences, valuesFor, withoutHidden } from './values.ts'

export type Fields = Readonly<Record<string, Json>>

/** Fields with a rule of their own that no declaration holds: which, and why. */
const RULED: Readonly<Record<string, readonly string[]>> = {
  // Names of permissions, which follow from all declarations together.
  role: ['actions', 'services'],
  // An object with two members.
  agentchannel: ['queue_tracker_config'],
  // An address that needs the secret with it.
  hierarchy: ['alert_url'],
  // Expressions, and a schema as JSON text.
  campaignuploadprofile: ['transformation_pre_rule', 'transformation_post_rule', 'validation_schema'],
}

/** First change of an entity with a single instance, where changing one field alone is rejected. */
export const WHOLE: Readonly<Record<string, Fields>> = {
  nlusettings: {
    authurl: 'https://walk.example/token',
    parseurl: 'https://walk.example/parse',
    clientsecret: 'm0secret',
    project: 'walk',
    model: 'walk',
    timeout: 1000,
    minscore: 40,
  },
}

/** Fields whose value depends on other data: a comment refers to a block of its flow. */
const FOUND: Readonly<Record<string, 'dialog' | 'handler'>> = { dialogcomment: 'dialog', handlercomment: 'handler' }

/** Parley changes agent channels of the desk without a person: the walk takes another type. No webhook calls its address. */
const GIVEN: Readonly<Record<string, Fields>> = { agentchannel: { type: 'rocketchat' }, webhook: { enable: false } }

/** All whose things people make. */
export const allEntities = (): readonly EntityDeclaration[] =>
  Object.values<EntityDeclaration>(ENTITIES).filter(({ writtenBy }) => writtenBy === undefined)
export const ruledOf = ({ name }: EntityDeclaration): readonly string[] => RULED[name] ?? []

let marks = 0
export const newMark = () => `m${++marks}x`

/** Two values for a field that people can change, the first one not what it has. */
export const changesOf = (entity: EntityDeclaration, before: Fields) => {
  for (const path of [entity.title, ...Object.keys(entity.fields)]) {
    const field = entity.fields[path]
    if (field === undefined || !(path in before) || !changeable(entity, ruledOf(entity)).includes(path)) continue
    const values = [newMark(), newMark()].flatMap(mark => valuesFor(field, mark).slice(0, 3))
    const [first, second] = [...new Set(values)].filter(value => value !== before[path])
    if (first !== undefined && second !== undefined) return { path, first, second }
  }
  throw new Error(`${entity.name} has no field that can be changed`)
}

const blockOf = async (admin: Client, flow: string, within: Fields) => {
  const { body } = await admin.get(`/${flow}/${within[flow]}/flow`)
  return { block: Object.keys(body.operators)[0] ?? '' }
}

export interface Maker {
  /**
   * Creates an entity with a value in every visible field that accepts one, with its references, and with its
   * containers unless they are `known`.
   */
  make(entity: EntityDeclaration, known?: Fields): Promise<{ id: string; fields: Fields }>
  parentOf(entity: EntityDeclaration, known?: Fields): Promise<Record<string, string>>
  /** Ids of a list, in its order. */
  items(entity: EntityDeclaration, query: Record<string, string>): Promise<readonly string[]>
}

/** A release number is given once. */
let releases = 100

/** Removes all but the newest two of an entity of which a level has few. */
const makeRoom = async (admin: Client, { name, maxInLevel = Number.POSITIVE_INFINITY }: EntityDeclaration) => {
  if (maxInLevel > 10) return
  for (const { id } of (await admin.get(`/${name}`)).body.items.slice(2))
    expect((await admin.delete(`/${name}/${id}`, { confirm: 'CONFIRM' })).status).toBe(200)
}

export const makerOf = (admin: Client): Maker => {
  const make: Maker['make'] = async (entity, known = {}) => {
    const mark = newMark()
    await makeRoom(admin, entity)
    const within = await parentOf(entity, known)
    const flow = FOUND[entity.name]
    const found = flow === undefined ? {} : await blockOf(admin, flow, within)
    const values = givable(entity, ruledOf(entity)).flatMap(name => {
      const field = entity.fields[name]
      // A secret is like no other value, so that it is found wherever it is shown.
      const isSecret = field?.secret === true || field?.secretWhen !== undefined
      const [value] = field === undefined ? [] : valuesFor(field, isSecret ? `${mark}secret` : mark)
      return value === undefined ? [] : [[name, value] as const]
    })
    const shown = withoutHidden(entity, { ...Object.fromEntries(values), ...GIVEN[entity.name] })
    const targets: Record<string, string> = {}
    for (const name of neededReferences(entity, shown)) {
      const target = allEntities().find(one => one.name === entity.fields[name]?.to)
      if (target !== undefined) targets[name] = (await make(target, { ...known, ...within })).id
    }
    const files: Record<string, Json> = {}
    for (const [name, field] of Object.entries(entity.fields))
      if (field.kind === 'file' && field.required) files[name] = await uploadText(admin, mark)
    releases += 1
    const number = entity.name === 'releasenote' ? { patch: releases } : {}
    // A level has at most one.
    const isAlone = entity.cardinality === 'optional' && entity.parent === 'level'
    const level = isAlone ? { hierarchylevel: (await admin.post('/hierarchy', { name: mark })).body.id } : {}
    const fields = { ...level, ...shown, ...targets, ...files, ...within, ...found, ...number }
    const { status, text, body } = await admin.post(`/${entity.name}`, fields)
    expect(status, text).toBe(201)
    return { id: body.id, fields }
  }
  const parentOf: Maker['parentOf'] = async (entity, known = {}) => {
    const field = parentField(entity)
    const given = field === undefined ? undefined : known[field]
    if (field !== undefined && typeof given === 'string') return { [field]: given }
    const parent = allEntities().find(({ name }) => name === field)
    return field === undefined || parent === undefined ? {} : { [field]: (await make(parent, known)).id }
  }
  return {
    make,
    parentOf,
    async items(entity, query) {
      const { status, text, body } = await admin.get(
        `/${entity.name}?${new URLSearchParams({ size: '100', ...query })}`,
      )
      expect(status, text).toBe(200)
      return body.items.map(({ id }) => String(id))
    },
  }
}
