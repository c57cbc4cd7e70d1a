import { type EntityDeclaration, isSingle, parentField } from './entity.ts'
import type { Field } from './field/kind.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** The entity whose things have versions. */
export const VERSION_ROOT = 'bot'

/** Whether its things are inside a versioned thing, at any depth. */
export const isInVersionRoot = (entities: Entities, entity: EntityDeclaration): boolean => {
  const seen = new Set<string>()
  for (let at = parentField(entity); at !== undefined && !seen.has(at); at = entities[at]?.parent) {
    if (at === VERSION_ROOT) return true
    seen.add(at)
  }
  return false
}

/** Entities whose things a version includes with their parent of this entity, in the registry's order. */
export const versionedChildren = (entities: Entities, entity: EntityDeclaration): readonly EntityDeclaration[] =>
  Object.values(entities).filter(child => parentField(child) === entity.name && child.versioned === true)

/** Whether a version holds its things: included ones, and the bot itself. */
export const isVersioned = ({ name, versioned }: EntityDeclaration): boolean =>
  name === VERSION_ROOT || versioned === true

/** Member of a version file: a list of things; one thing where there is exactly one. */
export const versionMember = (entity: EntityDeclaration): string => (isSingle(entity) ? entity.name : `${entity.name}s`)

/** Members of a version file beside the members of the bot's things. */
const FILE_MEMBERS = ['format', 'version', 'name', 'description', VERSION_ROOT]
/** Members of a thing beside its fields. */
const THING_MEMBERS = ['id', 'flow', 'js', 'release']

/**
 * Fields that a version carries: values set by people, except secrets and the parent. A field that is secret while
 * another one is true is omitted where it is secret.
 */
export const versionFields = (entity: EntityDeclaration): readonly string[] =>
  Object.entries(entity.fields).flatMap(([name, field]) => {
    const isLeftOut = field.readonly || field.secret || field.personal || field.internal || name === parentField(entity)
    return isLeftOut ? [] : [name]
  })

/**
 * Fields that a version of another bot does not change. Whether a present value is secret stays with the value; a new
 * thing has none yet and takes it from the version.
 */
export const environmentFields = ({ fields }: EntityDeclaration, isNew: boolean): ReadonlySet<string> => {
  const own = Object.entries(fields).filter(([, { perEnvironment }]) => perEnvironment === true)
  const switches = isNew ? [] : own.flatMap(([, { secretWhen }]) => secretWhen ?? [])
  return new Set([...own.map(([name]) => name), ...switches])
}

const ADDRESS_KINDS: ReadonlySet<Field['kind']> = new Set(['url', 'email', 'phone', 'cron', 'time'])
const TEXT_KINDS: ReadonlySet<Field['kind']> = new Set(['string', 'strings', 'text', 'json', 'enumeration', 'list'])
const ADDRESS_NAME =
  /ur[il]|link|endpoint|webhook|callback|host|server|domain|origin|address|(?:client|app|account|tenant|analytics)_?id|token|key$|user_?name|login|provider|env$|environment|region|zone|customer/

/** Whether the value may differ from environment to environment, by its kind or its name. */
const isAddressLike = (name: string, field: Field): boolean =>
  ADDRESS_KINDS.has(field.kind) ||
  (TEXT_KINDS.has(field.kind) && ADDRESS_NAME.test(name.toLowerCase())) ||
  (field.kind === 'list' &&
    Object.entries(field.item).some(([member, item]) => item.secret || isAddressLike(member, item)))

/** Errors in the environment options of an entity's fields. */
export const environmentErrors = (entity: EntityDeclaration): readonly string[] => {
  const carried = new Set(isVersioned(entity) ? versionFields(entity) : [])
  return Object.entries(entity.fields).flatMap(([name, field]) => {
    if (field.perEnvironment !== undefined)
      return carried.has(name) && !(field.perEnvironment === true && (name === entity.title || field.fixed))
        ? []
        : [`says perEnvironment of ${name}, which every version carries or none does`]
    return carried.has(name) && isAddressLike(name, field)
      ? [
          `must say whether a version of another bot changes ${name}: perEnvironment: true, or perEnvironment: { not: '<reason>' }`,
        ]
      : []
  })
}

/** Errors in an entity's version options. */
export const versionedErrors = (entities: Entities, entity: EntityDeclaration): readonly string[] => {
  const { versioned, parent, onParentRemoved } = entity
  if (!isInVersionRoot(entities, entity))
    return versioned === undefined ? [] : [`says versioned, but does not lie in a ${VERSION_ROOT}`]
  if (versioned === undefined)
    return [
      `lies in a ${VERSION_ROOT} and must say whether versions take its things: versioned: true, or versioned: { not: '<reason>' }`,
    ]
  const isParentTaken = parent === VERSION_ROOT || entities[parent]?.versioned === true
  if (versioned !== true) {
    const keepsParent = parent !== VERSION_ROOT && isParentTaken && onParentRemoved === 'refuse'
    return keepsParent ? [`keeps ${parent} from being removed and needs versioned: true, as ${parent} has`] : []
  }
  if (!isParentTaken) return [`has versioned: true, but ${parent}, which it lies in, has not`]
  return memberErrors(entities, entity)
}

const memberErrors = (entities: Entities, entity: EntityDeclaration): readonly string[] => {
  const { name, fields, parent } = entity
  const member = versionMember(entity)
  const taken =
    parent === VERSION_ROOT ? FILE_MEMBERS : [...THING_MEMBERS, ...Object.keys(entities[parent]?.fields ?? {})]
  const besides = Object.values(entities).filter(other => {
    return other.name !== name && other.parent === parent && other.versioned === true && versionMember(other) === member
  })
  return [
    ...(taken.includes(member) || besides.length > 0 ? [`would be ${member} in a version file, which is taken`] : []),
    ...THING_MEMBERS.filter(reserved => Object.hasOwn(fields, reserved)).map(
      reserved => `has versioned: true, but its field ${reserved} has the name of a member of version files`,
    ),
  ]
}
