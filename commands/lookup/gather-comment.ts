import type { CommentFacts } from '#domain/comment.ts'
import type { Fields } from '#domain/entity.ts'
import { nodesOf } from '#domain/flow/document/document.ts'
import { MAX_NAMED, mentionsIn } from '#domain/mention.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import { user } from '#schemas/entities/user.ts'
import { parentField } from '#schemas/entity.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'
import { awaitLookup } from '../process/contents.ts'

/** Facts for a comment: its flow, its thread and the mentioned people. */
export const gatherComment: LoadFacts<CommentFacts> = async (context, { command, entity }, state, given) => {
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
