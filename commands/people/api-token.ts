import { randomBytes } from 'node:crypto'
import type { ApiTokenFacts, ServiceAccountFacts } from '#domain/people/api-token.ts'
import { neededToGive, tokenPermissions } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { accepted } from '#schemas/refusal.ts'
import { GENERIC } from '../generic/entity-commands.ts'
import {
  type Attempt,
  awaitLookup,
  type CommandContext,
  type LoadFacts,
  loadTarget,
} from '../pipeline/command-context.ts'
import type { Command } from '../port.ts'
import { restoreTree } from '../process/remove-tree.ts'
import { fieldsAfter, idsOf, loadRightsFacts, presentFields } from './rights-facts.ts'
import { shownPrefix, tokenId, tokenText } from './token-text.ts'

/** Tokens of commands under way, by the id that they give. */
const fresh = new WeakMap<Command, string>()
const named = new Map<string, string>()

/**
 * Makes a token and answers it once: `once` is not kept for an idempotency key, so a repeated request answers without it.
 */
export const createToken: Attempt = async (context, run) => {
  const token = fresh.get(run.command) ?? tokenText(randomBytes(32))
  fresh.set(run.command, token)
  const id = tokenId(token)
  named.set(id, token)
  try {
    const made = await GENERIC.create.attempt(context, { ...run, command: { ...run.command, id } })
    return made.ok ? accepted({ ...made.value, once: { token } }) : made
  } finally {
    named.delete(id)
  }
}

/** Permissions of a service account's groups; a removed one has none. */
const accountPermissions = async (context: CommandContext, usergroup: unknown): Promise<ReadonlySet<string>> =>
  context.lookup.permissionsOfGroups(idsOf(Array.isArray(usergroup) ? usergroup : []))

export const loadApiTokenFacts: LoadFacts<ApiTokenFacts> = async (context, { command }, _state, fields) => {
  const { caller, action, id } = command
  const account = typeof fields.serviceaccount === 'string' ? fields.serviceaccount : undefined
  const nothing = { lacking: [], isPerson: false, home: null, isBelow: true, prefix: '' }
  if (action !== 'create') return nothing
  await awaitLookup(context)
  const found = account === undefined ? undefined : await context.loader.load(ENTITIES.serviceaccount, account)
  const holder = found?.state.status === 'live' ? found.state : undefined
  const home = account === undefined ? caller.level : (holder?.level ?? null)
  const level = typeof fields.level === 'string' ? fields.level : home
  const isBelow = level === null || home === null || (await context.lookup.ancestors(level)).includes(home)
  const scopes = idsOf(fields.scopes)
  // Without scopes it may do all that its account may.
  const held = holder === undefined ? new Set<string>() : await accountPermissions(context, holder.fields.usergroup)
  const given = scopes.length > 0 ? new Set(scopes) : tokenPermissions(held, [], 'service')
  const lacking = caller.user === null ? [] : [...neededToGive(given)].filter(one => !caller.permits(one)).toSorted()
  return {
    lacking,
    isPerson: caller.user !== null && (await isUser(context, caller.user)),
    home,
    isBelow: isBelow && (level === null || caller.user === null || caller.subtree.has(level)),
    prefix: shownPrefix(named.get(id) ?? ''),
  }
}

const isUser = async ({ loader }: CommandContext, id: string): Promise<boolean> =>
  (await loader.load(ENTITIES.user, id)).state.status === 'live'

export const loadServiceAccountFacts: LoadFacts<ServiceAccountFacts> = async (context, run, state, fields) => {
  await awaitLookup(context)
  const next = fieldsAfter(run, state, fields) ?? {}
  const { lacking } = await loadRightsFacts(context, run, {
    before: await accountPermissions(context, presentFields(state).usergroup ?? null),
    after: await accountPermissions(context, next.usergroup ?? null),
  })
  return { lacking }
}

/** Brings an account back with its tokens: this gives its rights again, which the caller must have. */
export const restoreAccount: Attempt = async (context, run) => {
  const target = await loadTarget(context, run)
  if (!target.ok) return target
  const allowed = await context.registry.rulesOf(run.entity.name).onChange(context, run, target.value.state, {})
  return allowed.ok ? restoreTree(context, run) : allowed
}
