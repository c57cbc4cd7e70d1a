import { ENTITIES, type EntityName, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField, permissionsOf } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, Live } from '../behaviour.ts'

const DECLARED: readonly EntityDeclaration[] = Object.values(ENTITIES)

/** Permissions that open menus and pages rather than entities. */
const PAGE_ACTIONS = [
  'showdashboard',
  'showbot',
  'shownlu',
  'showadmin',
  'showreport',
  'showlocalemessage',
  'showcodesample',
  'showappsettings',
  'readaudit',
  'exportaudit',
  'readconversation',
  'forgetconversation',
  'forgetcontact',
  'readsuppression',
  'updatesuppression',
  'exportcontact',
  'seeasuser',
  'showdesk',
  'answerconversation',
  'takeoverconversation',
  'assignconversation',
  'superviseconversation',
  'revealconversation',
  'exportdesk',
  'administerbytoken',
  'readevent',
  'sendpersonal',
  'scim',
]

const entryAction = ({ name, place }: EntityDeclaration) =>
  place?.permission === undefined || place.permission === `read${name}` ? [] : [place.permission]

/** Actions that open menus and pages: those of the specification and those that a declaration names for its entry. */
export const MENU_ACTIONS: readonly string[] = [...new Set([...PAGE_ACTIONS, ...DECLARED.flatMap(entryAction)])]

/** Entities of the specification. Roles may name one before it is declared. */
const SPECIFIED = [
  'agentchannel',
  'botadvancedsetting',
  'botservice',
  'botspecificlocalemessage',
  'brain',
  'campaign',
  'campaignupload',
  'campaignuploadprofile',
  'channel',
  'chatinterface',
  'contact',
  'conversationsetting',
  'deploymentsettings',
  'entityvaluepair',
  'integration',
  'intent',
  'intentgroup',
  'intentmapping',
  'metaaccount',
  'metaapp',
  'mlchannel',
  'nluintent',
  'nluproject',
  'nluprojectentity',
  'nlusettings',
  'oauth',
  'regex',
  'report',
  'reportgroup',
  'sitesearchindex',
  'story',
  'synonym',
  'template',
  'theme',
  'tinyurlmapping',
  'usertip',
]

const VERBS = ['read', 'create', 'update', 'delete']

/** Permissions of a service by name: every action on that entity. */
const GRANTED_BY_SERVICE: ReadonlyMap<string, readonly string[]> = new Map([
  ...SPECIFIED.filter(name => !isEntityName(name)).map(name => [name, VERBS.map(verb => verb + name)] as const),
  ...DECLARED.filter(({ rights }) => rights === undefined).map(entity => [entity.name, permissionsOf(entity)] as const),
])

/** Names that a role's `services` may hold. */
export const SERVICES: readonly string[] = [...GRANTED_BY_SERVICE.keys()].sort()

/** Every permission: the allowed values of a role's `actions`. */
export const PERMISSIONS: ReadonlySet<string> = new Set([...MENU_ACTIONS, ...[...GRANTED_BY_SERVICE.values()].flat()])

/** Permissions implied by a read permission: never granted alone. */
const impliedBy = (permission: string): readonly string[] =>
  DECLARED.flatMap(entity =>
    entity.rights === 'readers' && permission === `read${parentField(entity)}` ? permissionsOf(entity) : [],
  )
const IMPLIED: ReadonlyMap<string, readonly string[]> = new Map(
  [...PERMISSIONS].map(permission => [permission, impliedBy(permission)]),
)

const withImplied = (permissions: readonly string[]): ReadonlySet<string> =>
  new Set(permissions.flatMap(permission => [permission, ...(IMPLIED.get(permission) ?? [])]))

/** Permissions of full access. */
export const ALL_PERMISSIONS: ReadonlySet<string> = withImplied([...PERMISSIONS])

/** Permissions of one role: its actions, and every action on the entities that its services name. */
export const grantedBy = (role: {
  readonly actions: readonly string[]
  readonly services: readonly string[]
}): ReadonlySet<string> =>
  withImplied([...role.actions, ...role.services.flatMap(service => GRANTED_BY_SERVICE.get(service) ?? [])])

/** Permission of an account that provisions people for an identity provider (SCIM 2.0). */
export const SCIM = 'scim'

/** Permission to send personal values of users to other programs. */
export const SEND_PERSONAL = 'sendpersonal'

/**
 * Permissions that a caller needs to give these: the same ones. For `scim` every permission, because its holder decides
 * about the members of groups.
 */
export const neededToGive = (given: ReadonlySet<string>): ReadonlySet<string> =>
  given.has(SCIM) ? ALL_PERMISSIONS : given

/** Entities that a token reads and does not change: people, rights, and what calls in. */
const CLOSED_TO_TOKENS = ['user', 'usergroup', 'role', 'serviceaccount', 'apitoken', 'identityprovider'] as const
const ADMINISTER_BY_TOKEN = 'administerbytoken'

const changing = (name: EntityName): readonly string[] =>
  permissionsOf(ENTITIES[name]).filter(one => one !== `read${name}`)

const NOT_BY_TOKEN: ReadonlySet<string> = new Set([
  'seeasuser',
  ADMINISTER_BY_TOKEN,
  ...CLOSED_TO_TOKENS.flatMap(changing),
])
/** A webhook sends what its owner, a person, may read, and outlives the token that would have made it. */
const NEVER_BY_TOKEN: ReadonlySet<string> = new Set(changing('webhook'))

/**
 * Permissions of a token: its holder's, narrowed to its scopes (empty: all), without those that change who may do what. A
 * service account with `administerbytoken` among them keeps these too. Webhooks are changed by people alone.
 */
export const tokenPermissions = (
  held: ReadonlySet<string>,
  scopes: readonly string[],
  kind: 'service' | 'person',
): ReadonlySet<string> => {
  const scoped = (scopes.length === 0 ? held : held.intersection(withImplied(scopes))).difference(NEVER_BY_TOKEN)
  return kind === 'service' && scoped.has(ADMINISTER_BY_TOKEN) ? scoped : scoped.difference(NOT_BY_TOKEN)
}

/** Permissions to administer others: to change and unlock them, and their rights. */
export const ADMINISTRATION = ['updateuser', 'unlockuser', 'updateusergroup', 'updaterole'] as const

export interface RightsFacts {
  /** Permissions that the command would give and its caller lacks. */
  readonly lacking: readonly string[]
  /** No administrator of people would remain. */
  readonly lastadministrator: boolean
}

const MAX_NAMED = 20

export const checkRights = ({ facts }: DecisionContext<RightsFacts>): Result<null> => {
  const { lacking } = facts
  if (lacking.length > 0) return refused('access.grant', { params: { permissions: lacking.slice(0, MAX_NAMED) } })
  return facts.lastadministrator ? refused('access.lastadministrator') : accepted(null)
}

export const roleBehaviour: Behaviour<RightsFacts> = {
  commands: {},
  onCreate: (fields, context) => check(fields, context),
  onChange: (_state, changes, context) => check(changes, context),
  onRemove: (_state, context) => checkRights(context),
}

const check = (fields: Live['fields'], context: DecisionContext<RightsFacts>): Result<Live['fields']> => {
  const errors = [
    ...unknown('actions', fields.actions, name => PERMISSIONS.has(name)),
    ...unknown('services', fields.services, name => SERVICES.includes(name)),
  ]
  if (errors.length > 0) return refused('validation.failed', { errors })
  const rights = checkRights(context)
  return rights.ok ? accepted(fields) : rights
}

const unknown = (path: string, value: Json | undefined, isKnown: (name: string) => boolean): FieldError[] =>
  (Array.isArray(value) ? value : []).flatMap((name, index) =>
    isKnown(String(name)) ? [] : [{ path: `${path}.${index}`, code: 'option' as const }],
  )

const UNUSED_PERMISSIONS_DECLARED = Object.values<EntityDeclaration>(ENTITIES)

/** Bringing back creates what was removed, and changes what was not. */
const VERBS_OF: Readonly<Record<string, readonly string[]>> = {
  created: ['create'],
  removed: ['delete'],
  restored: ['create', 'update'],
}

/**
 * Permissions to create, change and delete that no change needed. `changeKinds`: entity and audit action; every action but
 * creating and removing counts as a change. Reading and permissions of other actions leave no trace and are left out.
 */
export const unusedPermissions = (
  granted: ReadonlySet<string>,
  changeKinds: readonly { readonly entity: string; readonly action: string }[],
): readonly string[] => {
  const used = new Set(
    changeKinds.flatMap(({ entity, action }) => (VERBS_OF[action] ?? ['update']).map(verb => verb + entity)),
  )
  return UNUSED_PERMISSIONS_DECLARED.filter(({ rights }) => rights === undefined)
    .flatMap(({ name }) => ['create', 'update', 'delete'].map(verb => verb + name))
    .filter(permission => granted.has(permission) && !used.has(permission))
}
