import { hash } from 'node:crypto'
import type { CampaignFacts } from '#domain/campaign/behaviour.ts'
import { type ChannelFacts, numberOf, withTokenAccount } from '#domain/channel.ts'
import type { CloudFileFacts } from '#domain/cloud-file.ts'
import { type CommentFacts, MAX_NAMED } from '#domain/comment.ts'
import { mentionsIn } from '#domain/comment-text.ts'
import type { DeskQueueFacts } from '#domain/desk/queue.ts'
import type { Fields } from '#domain/entity.ts'
import { nodesOf } from '#domain/flow/document/document.ts'
import type { NluProjectFacts } from '#domain/nluproject.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import type { TemplateFacts } from '#domain/template/behaviour.ts'
import type { TinyUrlFacts } from '#domain/tiny-url.ts'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
import { channel } from '#schemas/entities/channel.ts'
import { user } from '#schemas/entities/user.ts'
import { parentField } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { sendsTemplates } from '#schemas/template-provider.ts'
import { openField, openItems } from '../keys/secret.ts'
import { closesCycle } from '../people/rights-facts.ts'
import { awaitLookup, bypassCache, type CommandContext, type LoadFacts, type Run } from '../pipeline/command-context.ts'

const HEX = /^(.{8})(.{4}).(.{3})(.{4})(.{12}).*$/

/** A UUID (version 8) that each attempt at one command gets alike. */
const idOf = (seed: string): string => hash('sha256', `${seed}\nrun`).replace(HEX, '$1-$2-8$3-a$4-$5').slice(0, 36)

const fieldsOf = async ({ loader, entityOf }: CommandContext, name: string, id: Fields[string] | undefined) => {
  const entity = entityOf(name)
  if (entity === undefined || typeof id !== 'string') return undefined
  const { state } = await loader.load(entity, id)
  return state.status === 'live' ? state.fields : undefined
}

/** Facts for sending a campaign, as of its start. */
export const loadCampaignFacts: LoadFacts<CampaignFacts> = async (context, { author }, state, given) => {
  const fields: Fields = { ...('fields' in state ? state.fields : {}), ...given }
  const [template, templateB, account, channelFields] = await Promise.all([
    fieldsOf(context, 'template', fields.template),
    fieldsOf(context, 'template', fields.template_b),
    fieldsOf(context, 'metaaccount', fields.metaaccount),
    fieldsOf(context, 'channel', fields.channel),
  ])
  return { run: idOf(author.seed), template, templateB, account, channel: channelFields }
}

/** The type of a template's channel. */
export const loadTemplateFacts: LoadFacts<TemplateFacts> = async (context, _run, state, given) => {
  const fields: Fields = { ...('fields' in state ? state.fields : {}), ...given }
  const found = await fieldsOf(context, 'channel', fields.channel)
  return {
    channelType: typeof found?.type === 'string' ? found.type : null,
    isSending: found !== undefined && sendsTemplates(found),
  }
}

/** The other enabled channel of the same type and number. */
const takenBy = async (context: CommandContext, { command }: Run, fields: Fields): Promise<ChannelFacts['taken']> => {
  const number = numberOf(fields)
  if (number === '' || fields.enable === false) return undefined
  await awaitLookup(context)
  for (const id of await context.lookup.children('type', String(fields.type), channel.name)) {
    if (id === command.id) continue
    const { state } = await context.loader.load(channel, id)
    if (state.status !== 'live' || state.fields.enable === false || numberOf(state.fields) !== number) continue
    const { caller } = command
    const isVisible = caller.user === null || (state.level !== null && caller.subtree.has(state.level))
    return { name: isVisible && caller.permits('readchannel') ? String(state.fields.name) : null }
  }
  return undefined
}

/** Fields that decide whether a number is taken. */
const OF_NUMBER = ['type', 'enable', 'account_id', 'sender_number', 'auth_token']

export const loadChannelFacts: LoadFacts<ChannelFacts> = async (context, run, state, given) => {
  const { id } = run.command
  if (run.entity.name === agentchannel.name && run.command.action === 'create' && given.type === 'parley')
    return { id, nodesWithoutDesk: await context.nodesWithoutDesk() }
  const isAbout = run.entity.name === channel.name && OF_NUMBER.some(name => name in given)
  if (!isAbout) return { id }
  const before = 'fields' in state ? state.fields : {}
  const taken = await takenBy(context, run, { ...before, ...withTokenAccount({ ...before, ...given }, given) })
  return { id, ...(taken === undefined ? {} : { taken }) }
}

/** The level that placeOf() has allowed. */
export const loadCloudFileFacts: LoadFacts<CloudFileFacts> = async (_context, { command }) => ({
  level: String(command.input.hierarchylevel ?? command.caller.level),
})

/** Facts for a comment: its flow, its thread and the mentioned people. */
export const loadCommentFacts: LoadFacts<CommentFacts> = async (context, { command, entity }, state, given) => {
  const present: Fields = 'fields' in state ? state.fields : {}
  const fields = { ...present, ...given }
  const kind = parentField(entity) ?? ''
  const flow = await stateOf(context, kind, fields[kind])
  const begun = state.status === 'none' ? await stateOf(context, entity.name, fields[entity.name]) : undefined
  const named = mentionsIn(typeof given.text === 'string' ? given.text : '').slice(0, MAX_NAMED)
  const known = mentionsIn(typeof present.text === 'string' ? present.text : '')
  const unreachable: string[] = []
  for (const id of named) {
    const reached = known.includes(id) || (flow !== undefined && (await maySee(context, id, kind, flow.level)))
    if (!reached) unreachable.push(id)
  }
  return {
    parentless: flow?.status !== 'live',
    unreachable,
    administers: ADMINISTRATION.every(permission => command.caller.permits(permission)),
    ...(command.action === 'create' && begun === undefined && flow !== undefined
      ? { blockless: !(await hasBlock(context, flow.id, fields.block)) }
      : {}),
    ...(command.action === 'remove' ? { answered: await isAnswered(context, entity.name, command.id) } : {}),
    ...(begun === undefined
      ? {}
      : { thread: { block: begun.fields.block ?? null, first: typeof begun.fields[entity.name] !== 'string' } }),
  }
}

/** Whether a block is in a flow now; one that is removed later keeps what was said about it. */
const hasBlock = async (
  { flows }: CommandContext,
  flow: string,
  block: Fields[string] | undefined,
): Promise<boolean> => {
  if (typeof block !== 'string') return false
  const { doc } = await flows.load(flow)
  const found = nodesOf(doc).has(block)
  doc.destroy()
  return found
}

const isAnswered = async (context: CommandContext, name: string, id: string): Promise<boolean> => {
  await awaitLookup(context)
  return (await context.lookup.children(name, id, name)).length > 0
}

const stateOf = async ({ loader, entityOf }: CommandContext, name: string, id: Fields[string] | undefined) => {
  const entity = entityOf(name)
  if (entity === undefined || typeof id !== 'string') return undefined
  const { state } = await loader.load(entity, id)
  return state.status === 'live' || state.status === 'removed' ? state : undefined
}

/** Whether the user belongs to the flow's level or above it and may read flows of this kind. */
const maySee = async (context: CommandContext, id: string, kind: string, level: string | null): Promise<boolean> => {
  const { loader, lookup } = context
  const { state } = await loader.load(user, id)
  if (state.status !== 'live' || state.fields.forgotten === true || level === null || state.level === null) return false
  await awaitLookup(context)
  return (
    (await lookup.ancestors(level)).includes(state.level) && (await lookup.permissionsOfUser(id)).has(`read${kind}`)
  )
}

/** 32 letters and digits, without those that look alike. 10 of them are 50 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const CODE_LENGTH = 10

/** The same for each attempt at one command. The seed is random, or the hash of a key that the caller alone knows. */
const codeOf = (seed: string): string =>
  [...hash('sha256', `${seed}\nshorturl`, 'buffer').subarray(0, CODE_LENGTH)]
    .map(byte => ALPHABET[byte % ALPHABET.length])
    .join('')

export const loadTinyUrlFacts: LoadFacts<TinyUrlFacts> = async ({ isOpenHost }, { author }, _state, fields) => {
  const { original_url: address } = fields
  const host = typeof address === 'string' ? URL.parse(address)?.hostname : undefined
  const isOpen = host === undefined || (await isOpenHost(host))
  return { shorturl: codeOf(author.seed), isOpenHost: () => isOpen }
}

export const loadDeskQueueFacts: LoadFacts<DeskQueueFacts> = async ({ openDeskChats }, { command }) => ({
  open: openDeskChats(command.id),
})

/** Lock stream for changes of inheritance; a command locks it from its decision to its append. */
const INHERITANCE = 'name-nluinheritance'

/**
 * Two nodes that each make one project inherit from the other would both find no cycle: a change of the parent takes a
 * lock and decides on the previous holder's writes.
 */
export const loadNluProjectFacts: LoadFacts<NluProjectFacts> = async (context, run, state, { inheritfrom }) => {
  if (state.status === 'none' || state.status === 'abandoned' || typeof inheritfrom !== 'string')
    return { cycle: false }
  if (state.status === 'live' && inheritfrom === state.fields.inheritfrom) return { cycle: false }
  const { author, reserved, entity } = run
  const owner = { entity: entity.name, id: state.id }
  reserved.set(INHERITANCE, owner)
  await context.reservation.reserve(author, owner, INHERITANCE)
  return { cycle: await closesCycle(bypassCache(context), run, state.id, inheritfrom, 'inheritfrom') }
}

/** Fields of a live thing with its secrets decrypted; undefined when there is no such thing. */
export const openFields = async (
  { entityOf, loader, keys }: CommandContext,
  name: string,
  id: string,
  revision?: number,
): Promise<JsonObject | undefined> => {
  const entity = entityOf(name)
  if (entity === undefined) return undefined
  const state = revision === undefined ? (await loader.load(entity, id)).state : await loader.at(entity, id, revision)
  if (state.status !== 'live') return undefined
  const open = async ([field, value]: readonly [string, Json]): Promise<readonly [string, Json]> => {
    const declared = entity.fields[field]
    return declared?.kind === 'list'
      ? [field, await openItems(keys, entity, id, field, value)]
      : [field, (await openField(keys, entity, id, field, value)) ?? null]
  }
  return Object.fromEntries(await Promise.all(Object.entries(state.fields).map(open)))
}
