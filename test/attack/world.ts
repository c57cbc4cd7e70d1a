import { EVERYTHING } from '#commands/people/bootstrap.ts'
import { hiddenFields, initialValues } from '#domain/field/stored-items.ts'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle, parentField, singleId } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { uploadOf } from '#test/api/contact-file.ts'
import { serviceOf } from '#test/api/service-of.ts'
import { WHOLE } from '#test/entity/maker.ts'
import { ruledValueOf, valuesFor } from '#test/entity/values.ts'
import { isFull } from '#test/fixture/full.ts'
import type { Client, Parley } from '../api/harness.ts'
import { level, PASSWORD, person } from '../api/people.ts'
import { uploadText } from '../api/upload.ts'
import { type Description, sampleOf } from './operation.ts'

/** A level with one thing of every kind in it. */
export interface Place {
  /** Appears in every text of this place, and nowhere else. */
  readonly mark: string
  readonly ids: Readonly<Record<EntityName, string>>
}

export type PlaceName = 'root' | 'own' | 'child' | 'sibling' | 'cousin' | 'removed'

export interface Attacker {
  readonly name: string
  readonly client: Client
  /** Null: anonymous, with any token. */
  readonly permissions: ReadonlySet<string> | null
  /** The user's level, and the places they may see. */
  readonly home: PlaceName
  readonly sees: readonly PlaceName[]
}

export interface World {
  readonly places: Readonly<Record<PlaceName, Place>>
  readonly attackers: readonly Attacker[]
}

const MARKS: Readonly<Record<PlaceName, string>> = {
  root: 'raizq1',
  own: 'nortek2',
  child: 'baixow3',
  sibling: 'sulz4',
  cousin: 'fundoy5',
  removed: 'idoj6',
}

const ALL = new Set([...EVERYTHING.actions, ...PERMISSIONS])
const readsOf = (...more: string[]) =>
  new Set([...[...PERMISSIONS].filter(one => one.startsWith('read') && one !== 'readaudit'), ...more])
const everyActionOn = (entities: readonly string[]) =>
  new Set([...PERMISSIONS].filter(one => entities.some(entity => /^[a-z]+$/.test(one) && one.endsWith(entity))))
const DRAWN = ['bot', 'dialogtask', 'dialog', 'handler', 'variable', 'variableschema', 'version']
/** Entities in a version: its preview needs the permission to read each. */
const VERSIONED = Object.values<EntityDeclaration>(ENTITIES).flatMap(({ name, versioned }) =>
  versioned === true ? [name] : [],
)

interface Role {
  readonly name: string
  readonly home: PlaceName
  readonly permissions: ReadonlySet<string>
}

const ROLES: readonly Role[] = [
  { name: 'viewer', home: 'own', permissions: readsOf() },
  { name: 'builder', home: 'own', permissions: everyActionOn([...DRAWN, ...VERSIONED]) },
  { name: 'operator', home: 'own', permissions: new Set(['readbot', 'startbot', 'stopbot', 'restartbot', 'fixbot']) },
  { name: 'auditor', home: 'own', permissions: readsOf('readaudit', 'exportaudit') },
  { name: 'administrator', home: 'own', permissions: ALL },
  { name: 'neighbour', home: 'sibling', permissions: ALL },
]

/** A view, a right to nothing that is drawn, and all rights, in both branches: others differ from them in what they may. */
const SHORT = new Set(['viewer', 'operator', 'administrator', 'neighbour'])

/** Places that users of each level reach. */
const SEES: Partial<Readonly<Record<PlaceName, readonly PlaceName[]>>> = {
  root: ['root', 'own', 'child', 'sibling', 'cousin', 'removed'],
  own: ['own', 'child'],
  sibling: ['sibling', 'cousin'],
}

/** Two branches below the root, one thing of every kind in each level, and people of many rights in one of the branches. */
export const makeWorld = async (parley: Parley, admin: Client, description: Description): Promise<World> => {
  const own = await level(admin, MARKS.own)
  const sibling = await level(admin, MARKS.sibling)
  const levels = {
    root: ((await admin.get('/userhierarchy')).body as { hierarchylevel?: string }).hierarchylevel ?? '',
    own,
    sibling,
    child: await level(admin, MARKS.child, own),
    cousin: await level(admin, MARKS.cousin, sibling),
    removed: await level(admin, MARKS.removed, own),
  }
  const places: Partial<Record<PlaceName, Place>> = {}
  for (const [name, id] of Object.entries(levels) as [PlaceName, string][])
    places[name] = await furnish(admin, description, MARKS[name], id)
  const attackers = await Promise.all(
    ROLES.filter(({ name }) => isFull || SHORT.has(name)).map(
      async ({ name, home, permissions }): Promise<Attacker> => {
        const given = { username: `${MARKS[home]} ${name}`, level: levels[home], actions: [...permissions] }
        return { name, home, permissions, sees: SEES[home] ?? [], client: (await person(parley, admin, given)).client }
      },
    ),
  )
  if (places.removed !== undefined) await clear(admin, places.removed)
  return {
    places: places as World['places'],
    attackers: [
      ...attackers,
      { name: 'administrator of all', home: 'root', permissions: ALL, sees: SEES.root ?? [], client: admin },
      ...(await outsiders(parley, admin, levels.own)),
    ],
  }
}

/** Clients without a session: never signed in, locked, or signed out. */
async function outsiders(parley: Parley, admin: Client, home: string): Promise<Attacker[]> {
  const base = { permissions: null, home: 'own', sees: [] } as const
  const [locked, left] = await Promise.all(
    ['locked', 'left'].map(name =>
      person(parley, admin, { username: `${MARKS.own} ${name}`, level: home, actions: [...ALL] }),
    ),
  )
  if (locked === undefined || left === undefined) throw new Error('Nobody was made')
  await admin.post(`/user/${locked.id}/lock`)
  await left.client.post('/auth/logout')
  return [
    { ...base, name: 'nobody', client: parley.anyone },
    { ...base, name: 'locked user', client: locked.client },
    { ...base, name: 'ended session', client: left.client },
  ]
}

/** An id that nothing has. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** One thing of every declared kind, made as the description says, its texts bearing the mark. */
async function furnish(admin: Client, description: Description, mark: string, home: string): Promise<Place> {
  const ids: Partial<Record<EntityName, string>> = { hierarchy: home }
  for (const entity of Object.values(ENTITIES) as EntityDeclaration[]) {
    if (entity.name === 'hierarchy') continue
    if (entity.name === 'identityprovider' && mark !== MARKS.root) {
      // Only the root has some.
      ids.identityprovider = UNKNOWN
      continue
    }
    const body =
      entity.writtenBy === 'system'
        ? { bot: ids.bot, profile: ids.campaignuploadprofile }
        : bodyOf(description, entity, home, ids, isShownBelow(entity, mark) ? 'geral' : mark)
    ids[entity.name as EntityName] = await make(admin, entity, body, mark)
  }
  return { mark, ids: ids as Place['ids'] }
}

/** The fields that the others do not hide. */
export const shownOf = ({ fields }: EntityDeclaration, body: Readonly<Record<string, unknown>>) => {
  const hidden = hiddenFields(fields, { ...initialValues(fields), ...body } as JsonObject)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.has(name)))
}

/** A release number is given once. */
let releases = 0

/** Makes a thing; a flow holds the block that `bodyOf` says something about. Answers its id. */
export const make = async (
  admin: Client,
  entity: EntityDeclaration,
  body: Readonly<Record<string, unknown>>,
  mark: string,
): Promise<string> => {
  const { name } = entity
  if (name === 'botservice') return serviceOf(admin, String(body.bot))
  if (name === 'campaignupload') return uploadOf(admin, String(body.profile), mark)
  if (isSingle(entity)) return fill(admin, entity, body)
  const files: Record<string, unknown> = {}
  for (const [field, { kind, required }] of Object.entries(entity.fields))
    if (kind === 'file' && required) files[field] = await uploadText(admin, mark)
  releases += 1
  const number = name === 'releasenote' ? { patch: releases } : {}
  const { status, text, body: made } = await admin.post(`/${name}`, { ...shownOf(entity, body), ...files, ...number })
  if (status !== 201) throw new Error(`${name}: ${text}`)
  const block = { type: 'marker', title: mark, top: 0, left: 0, properties: {} }
  const flow = { operators: { [`${mark} block`]: block }, links: {} }
  if (name === 'dialog' || name === 'handler') await admin.put(`/${name}/${made.id}/flow`, flow)
  return made.id
}

/** Changes the one thing of a kind that its parent has from the start. Answers its id. */
const fill = async (
  admin: Client,
  entity: EntityDeclaration,
  body: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const field = parentField(entity)
  const parent = field === undefined ? null : String(body[field])
  const id = singleId(entity.name, parent)
  const { body: present } = await admin.get(`/${entity.name}/${id}`)
  const changes = Object.fromEntries(
    Object.entries({ ...WHOLE[entity.name], ...body }).filter(([name]) => name !== field),
  )
  const { status, text } = await admin.patch(`/${entity.name}/${id}`, changes, Number(present.revision))
  if (status !== 200) throw new Error(`${entity.name}: ${text}`)
  return id
}

/** Shared entities, and those that lower levels may be given, show their name there. */
const isShownBelow = ({ name, parent }: EntityDeclaration, mark: string): boolean =>
  parent === 'none' || (mark === MARKS.root && (name === 'role' || name === 'usergroup'))

/** A file that nobody has uploaded. */
const NO_FILE = { id: '0'.repeat(64), name: 'a.txt', type: 'text/plain', size: 1 }
const TEXTS = new Set(['string', 'text', 'markdown', 'code'])

/** A body that creates an entity in a level from the entities there. */
export const bodyOf = (
  description: Description,
  entity: EntityDeclaration,
  home: string,
  ids: Partial<Readonly<Record<string, string>>>,
  mark: string,
): Record<string, unknown> => {
  const schema = description.components.schemas[`${entity.type}Create`] ?? {}
  const choose = (name: string): unknown => {
    if (name === 'hierarchylevel') return home
    const field = entity.fields[name]
    if (field?.kind === 'password') return PASSWORD
    if (field?.kind === 'cron') return '@daily'
    if (field?.kind === 'file') return NO_FILE
    if (field?.kind === 'email') return `${mark}@example.com`
    // Asked for with the type that is chosen.
    if (field?.kind === 'url' && field.required === true) return 'https://example.com'
    if (field?.to !== undefined) {
      const id = ids[field.to]
      if (id === undefined || entity.name === 'user') return undefined
      // The time of a comparison in a review changes with each call.
      if (name === 'template_b') return undefined
      // A message goes out from an account or from a channel.
      if (name === 'channel' && entity.fields.metaaccount !== undefined) return undefined
      return field.kind === 'references' ? [id] : id
    }
    // It would call its address.
    if (entity.name === 'webhook' && name === 'enable') return false
    if (field === undefined) return undefined
    const words = `${mark} ${name}`
    // A template's name is lower-case letters and digits alone.
    const texts = TEXTS.has(field.kind) ? [words, `/* ${words} */`, mark, ...valuesFor(field, mark)] : []
    return ruledValueOf(field, words) ?? texts.find(text => field.schema.safeParse(text).success)
  }
  return sampleOf(description, schema, choose) as Record<string, unknown>
}

/** Removes everything in a level, what contains after what it contains, and then the level. */
async function clear(admin: Client, { ids }: Place): Promise<void> {
  const confirm = { confirm: 'CONFIRM' }
  const inside = Object.entries(ids).filter(([entity]) => entity !== 'hierarchy' && entity !== 'releasenote')
  for (const [entity, id] of inside.toReversed()) await admin.delete(`/${entity}/${id}`, confirm)
  const { status, text } = await admin.delete(`/hierarchy/${ids.hierarchy}`, confirm)
  if (status !== 200) throw new Error(text)
}
