import { z } from 'zod'
import type { Json } from './event.ts'
import type { Field } from './field/kind.ts'
import type { EntityPlace } from './place.ts'

/** Places of an action in the generated console: the entity's page, the menu of its row, the bulk selection. */
type ActionPlace = 'page' | 'row' | 'bulk'

/**
 * A named command of an entity: the permission `<name><entity>`, the route `POST /{entity}/{id}/{name}`, and its texts
 * `action.<name>`: `do`, `done`, `question` where it asks first, `field.<input>` for each field it asks for.
 */
export interface EntityAction {
  /** lucide icon name. */
  readonly icon: string
  readonly on: readonly ActionPlace[]
  /** Body of its request; the console asks for it in a dialog. */
  readonly input?: Readonly<Record<string, Field>>
  /** `question`: the console asks first. `typed`: CONFIRM must be typed, and be in the body. */
  readonly confirm?: 'question' | 'typed'
  /** Offered while each of these fields of the thing has one of these values. */
  readonly when?: Readonly<Record<string, readonly Json[]>>
  readonly danger?: true
  /**
   * Values for fields of the entity; input with a field's name is stored in that field. Such an action needs no
   * command.
   */
  readonly sets?: Readonly<Record<string, Json>>
}

const schemas = new WeakMap<EntityAction, z.ZodObject>()

/** Input of an action, without `confirm`: strict, required fields required, the rest optional or null. */
export const actionInputSchema = (action: EntityAction): z.ZodObject => {
  const known = schemas.get(action)
  if (known !== undefined) return known
  const shape = Object.fromEntries(
    Object.entries(action.input ?? {}).map(([name, field]) => [
      name,
      field.required ? field.schema : field.schema.nullable().optional(),
    ]),
  )
  const made = z.strictObject(shape)
  schemas.set(action, made)
  return made
}

/** Body of the request, for its description. */
export const actionBodySchema = (action: EntityAction): z.ZodObject =>
  action.confirm === 'typed'
    ? actionInputSchema(action).extend({ confirm: z.literal('CONFIRM') })
    : actionInputSchema(action)

/** Whether an action is offered for a thing in this state. */
export const isOffered = ({ when = {} }: EntityAction, row: Readonly<Record<string, Json>>): boolean =>
  Object.entries(when).every(([field, values]) => values.includes(row[field] ?? null))

/**
 * Parent of an entity's things: nothing (the whole installation), a level of the tree, or a thing of another entity,
 * whose id is in the reference field of that entity's name and whose level is theirs.
 */
type EntityParent = 'none' | 'level' | (string & {})

interface Unique {
  /** Several fields are unique together; a refusal names the last of them. */
  readonly field: string | readonly [string, string, ...string[]]
  /** `everywhere`, `level`, or the name of the reference field that holds its parent. */
  readonly within: 'everywhere' | 'level' | (string & {})
}

export interface FormSection {
  /** Key of title and purpose in the translations: `<entity>.section.<id>`. */
  readonly id: string
  readonly fields: readonly string[]
  /** One control for all fields of the section (`web/entity/form/entity-form.tsx`) instead of one for each. */
  readonly control?: 'permission-matrix' | 'compose-file' | 'test-file'
  /** Beside the fields: a preview of their values while they are edited (`web/entity/form/entity-form.tsx`). */
  readonly preview?: 'chat-theme' | 'story-check' | 'price-paste'
  /** The section alone is the page at `/{entity}/{address}/{id}` as well. */
  readonly address?: string
}

interface EntityPage {
  readonly key: string
  /** lucide icon name. */
  readonly icon: string
  /** Needed to see its tab. */
  readonly permission?: string
}

/** Column of the generated list. */
export interface ListColumn {
  readonly field: string
  /** Of a number: the field that says of how many. */
  readonly of?: string
  readonly as?:
    | 'name'
    | 'status'
    | 'environment'
    | 'person'
    | 'number'
    | 'tags'
    | 'secret'
    | 'permissions'
    | 'code'
    | 'address'
    | 'file'
    | 'time'
    | 'boolean'
    | 'text'
    | 'reference'
}

/**
 * An entity, written once. From it come its events (`<type>Created|Changed|Removed|Restored`), decider, tables, routes,
 * OpenAPI, list, form, history and permissions (`read|create|update|delete|<action>` + name).
 * Translations: `schemas/locales/<lang>/entity/<name>.json`.
 */
export interface EntityDeclaration {
  /** Route name, lower case: `dialogtask`. */
  readonly name: string
  /** Prefix of its events: `DialogTask`. */
  readonly type: string
  readonly parent: EntityParent
  /** Place of a thing with an empty parent field. Without this the parent is required. */
  readonly withoutParent?: 'none' | 'level'
  /**
   * `remove` (default): removed with its parent, and restored with it. `refuse`: its parent cannot be removed while there
   * is one.
   */
  readonly onParentRemoved?: 'remove' | 'refuse'
  /**
   * `one`: each parent has exactly one, from the start and at its defaults, without an event. It is changed and brought
   * back to its defaults, never created or removed. `optional`: each parent has at most one; a second is refused.
   */
  readonly cardinality?: 'many' | 'one' | 'optional'
  /** Most of them in one level: one more is refused. */
  readonly maxInLevel?: number
  /**
   * Only for entities inside a bot, at any depth: whether versions of the bot include its things, or the reason why
   * not.
   */
  readonly versioned?: true | { readonly not: string }
  /** Each of its things has a flow, with a script beside it where `script` is true. */
  readonly flow?: { readonly script: boolean }
  /** Entities shown as tabs on its page, in this order. Default: all its children, in the order of the registry. */
  readonly children?: readonly string[]
  /** lucide icon name. */
  readonly icon: string
  readonly fields: Readonly<Record<string, Field>>
  readonly unique: readonly Unique[]
  /** Field shown as its name. */
  readonly title: string
  readonly list: {
    readonly columns: readonly ListColumn[]
    /** Shown beside the columns; the API neither sorts nor filters by them. */
    readonly facts?: readonly ListColumn[]
    /** Its level is a column from the start. */
    readonly level?: true
    readonly search: readonly string[]
  }
  readonly form: readonly FormSection[]
  /** Beside the whole form: a preview of its values while they are edited (`web/entity/form/entity-form.tsx`). */
  readonly preview?: 'chat-interface' | 'template'
  /** Fields that its page also shows to be read, in this order: code in colours, markdown rendered. */
  readonly reading?: readonly string[]
  /** Named commands beyond create, change, remove, restore. */
  readonly actions: Readonly<Record<string, EntityAction>>
  /** The program alone writes its things: people read and export them. */
  readonly writtenBy?: 'system'
  /** Readers of the parent have all rights to it; without this each verb is a separate permission. */
  readonly rights?: 'readers'
  /**
   * Named calls that write nothing, each with a permission `<probe><entity>` and a route `POST /{entity}/{id}/{probe}`.
   */
  readonly probes?: readonly string[]
  /** Removing needs CONFIRM. */
  readonly confirm: boolean
  /** Fields in its CSV, after `id`, `revision` and, where it carries a level, `hierarchylevel`; default: every field but secrets. */
  readonly export?: { readonly columns: readonly string[] }
  /** Its CSV may be imported. A row without an id is matched by these fields, within its parent or level. */
  readonly import?: { readonly key: readonly string[] }
  /**
   * Pages of one thing beside its form, `/{entity}/{key}/{id}`, in `web/app/own-pages.ts`: tabs after those of
   * `children`, named by the text `page.<key>`.
   */
  readonly pages?: readonly EntityPage[]
  /** Place in the console. Without it, it has its routes and the palette alone. */
  readonly place?: EntityPlace
  /** `web/app/own-pages.ts` replaces some of the generated pages. */
  readonly page?: 'own'
}

/** Members of most entities: a declaration leaves them out. */
const USUAL = { unique: [], title: 'name', actions: {}, confirm: false } as const
type Usual = typeof USUAL
type Declared = Omit<EntityDeclaration, keyof Usual> & Partial<Pick<EntityDeclaration, keyof Usual>>

export const defineEntity = <const D extends Declared>(declaration: D) =>
  ({ ...USUAL, ...declaration }) as Omit<Usual, keyof D> & D

/** Asked for the same declaration again, `make` is not run again: a zod schema costs more to make than to use. */
const oncePerEntity = <T>(make: (entity: EntityDeclaration) => T): ((entity: EntityDeclaration) => T) => {
  const made = new WeakMap<EntityDeclaration, T>()
  return entity => {
    const known = made.get(entity)
    if (known !== undefined) return known
    const fresh = make(entity)
    made.set(entity, fresh)
    return fresh
  }
}

/** With `when` a field is required only while it is shown: domain/field/ checks that. */
const isAlwaysRequired = (field: Field): boolean => field.required && field.when === undefined

/** Body of POST: strict, required fields required, the rest optional or null. `hierarchylevel` for what carries a level. */
export const createSchema = oncePerEntity((entity): z.ZodObject => {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.readonly) continue
    shape[name] = isAlwaysRequired(field) ? field.schema : field.schema.nullable().optional()
  }
  if (carriesLevel(entity)) shape.hierarchylevel = z.string().max(100).optional()
  return z.strictObject(shape)
})

/** Body of PATCH: strict, every field optional, readonly and fixed ones not among them. */
export const changeSchema = oncePerEntity((entity): z.ZodObject => {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.readonly || field.fixed) continue
    shape[name] = isAlwaysRequired(field) ? field.schema.optional() : field.schema.nullable().optional()
  }
  return z.strictObject(shape)
})

const ALWAYS_SET = [
  'id',
  'revision',
  'hierarchylevel',
  'created_at',
  'modified_at',
  'created_by',
  'modified_by',
] as const

/** Members that only the server sets: a body with one gets `readonly`, not `unknown`. */
export const closedTo: Readonly<Record<'create' | 'change', (entity: EntityDeclaration) => ReadonlySet<string>>> = {
  create: oncePerEntity(entity => closed(entity, field => field.readonly)),
  change: oncePerEntity(entity => closed(entity, field => field.readonly || field.fixed)),
}

const closed = ({ fields }: EntityDeclaration, isClosed: (field: Field) => boolean): ReadonlySet<string> => {
  const names = Object.entries(fields).flatMap(([name, field]) => (isClosed(field) ? [name] : []))
  return new Set([...ALWAYS_SET, ...names])
}

/** The fields that are unique, alone or together. */
export const uniqueFields = ({ field }: Unique): readonly string[] => (typeof field === 'string' ? [field] : field)

/** Names of the fields that are kept sealed. */
export const secretFields = ({ fields }: Pick<EntityDeclaration, 'fields'>): readonly string[] =>
  Object.entries(fields).flatMap(([name, { secret }]) => (secret ? [name] : []))

/** The parent entity, which is also the name of the reference field with the parent's id. */
export const parentField = (entity: EntityDeclaration): string | undefined =>
  entity.parent === 'none' || entity.parent === 'level' ? undefined : entity.parent

/** Whether its things can have their own level. */
export const carriesLevel = (entity: EntityDeclaration): boolean =>
  entity.parent === 'level' || entity.withoutParent === 'level'

/** Names of the actions that are offered there. */
export const actionsAt = ({ actions }: EntityDeclaration, place: ActionPlace): readonly string[] =>
  Object.entries(actions).flatMap(([name, { on }]) => (on.includes(place) ? [name] : []))

const VERBS_OF = { system: ['read'], people: ['read', 'create', 'update', 'delete'] } as const

export const permissionsOf = (entity: EntityDeclaration): readonly string[] =>
  [...VERBS_OF[entity.writtenBy ?? 'people'], ...Object.keys(entity.actions), ...(entity.probes ?? [])].map(
    action => action + entity.name,
  )

/** Cardinality `one`: each parent has exactly one thing of the entity, from the start and without an event. */
export const isSingle = ({ cardinality }: EntityDeclaration): boolean => cardinality === 'one'

/** Id of the only thing of an entity in its parent; `parent` is null where there is one in the whole installation. */
export const singleId = (name: string, parent: string | null): string => (parent === null ? name : `${name}-${parent}`)

/** The parent field of the thing with this id, as {@link singleId} makes it; undefined for an id of another shape. */
export const singleParent = (entity: EntityDeclaration, id: string): Readonly<Record<string, string>> | undefined => {
  const field = parentField(entity)
  if (field === undefined) return id === entity.name ? {} : undefined
  const prefix = `${entity.name}-`
  return id.startsWith(prefix) && id.length > prefix.length ? { [field]: id.slice(prefix.length) } : undefined
}
