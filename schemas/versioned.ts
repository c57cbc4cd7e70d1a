import { type EntityDeclaration, parentField } from './entity.ts'
import { isSingle } from './single.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** The entity whose things have versions. */
export const VERSION_ROOT = 'bot'

/** Whether its things lie in a thing that has versions, at any depth. */
export const isInVersionRoot = (entities: Entities, entity: EntityDeclaration): boolean => {
  const seen = new Set<string>()
  for (let at = parentField(entity); at !== undefined && !seen.has(at); at = entities[at]?.parent) {
    if (at === VERSION_ROOT) return true
    seen.add(at)
  }
  return false
}

/** Entities whose things a version takes with the thing of this one that they lie in, in the registry's order. */
export const versionedChildren = (entities: Entities, entity: EntityDeclaration): readonly EntityDeclaration[] =>
  Object.values(entities).filter(child => parentField(child) === entity.name && child.versioned === true)

/** Whether a version holds its things: those that it takes, and the bot itself. */
export const isVersioned = ({ name, versioned }: EntityDeclaration): boolean =>
  name === VERSION_ROOT || versioned === true

/** Member of a version file: a list of things; one thing where there is exactly one. */
export const versionMember = (entity: EntityDeclaration): string => (isSingle(entity) ? entity.name : `${entity.name}s`)

/** Members of a version file beside the members of the bot's things. */
const FILE_MEMBERS = ['format', 'version', 'name', 'description', VERSION_ROOT]
/** Members of a thing beside its fields. */
const THING_MEMBERS = ['id', 'flow', 'js']

/** What is wrong with what an entity says of versions. */
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
