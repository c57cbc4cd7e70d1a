import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, DomainEvent, Live, NamedCommand } from './behaviour.ts'
import { mentionsIn } from './comment-text.ts'
import { eventOf } from './entity.ts'

/** Maximum people per text: each is looked up and notified. */
export const MAX_NAMED = 50

export interface CommentFacts {
  /** The flow is removed. */
  readonly parentless: boolean
  /** The block is not in the flow; set when a thread begins. */
  readonly blockless?: boolean
  /** The comment that this one answers: its block, and whether it is the first of its thread. */
  readonly thread?: { readonly block: Json; readonly first: boolean }
  /** Set on removal: whether it has answers. */
  readonly answered?: boolean
  /** Newly mentioned people without access to the flow, or unknown. */
  readonly unreachable: readonly string[]
  /** The caller administers people. */
  readonly administers: boolean
}

type Context = DecisionContext<CommentFacts>

export const commentBehaviour = (entity: EntityDeclaration): Behaviour<CommentFacts> => ({
  commands: {
    resolve: settle(entity, 'Resolved', true),
    reopen: settle(entity, 'Reopened', false),
  },
  onCreate(fields, { actor, facts }) {
    const written = read(fields.text, facts.unreachable)
    if (!written.ok) return written
    const block = blockOf(entity, fields, facts)
    return block.ok ? accepted({ ...fields, ...written.value, block: block.value, author: actor }) : block
  },
  onChange(state, changes, context) {
    const allowed = mayTouch(state, context)
    if (!allowed.ok) return allowed
    if (changes.text === undefined || changes.text === state.fields.text) return accepted(changes)
    const written = read(changes.text, context.facts.unreachable)
    if (!written.ok) return written
    const { withdrawn } = state.fields
    // A withdrawn comment that is restored does not count as edited.
    const how = withdrawn === true ? { withdrawn: false } : { edited_at: context.time }
    return accepted({ ...changes, ...written.value, ...how })
  },
  onRemove(state, context) {
    const allowed = mayTouch(state, context)
    if (!allowed.ok || context.facts.answered !== true) return allowed
    if (state.fields.withdrawn === true) return accepted([])
    return accepted([eventOf(entity, 'Withdrawn', { fields: WITHDRAWN })])
  },
})

/** The first comment of a thread holds its answers together: it stays, with nothing of what it said. */
const WITHDRAWN = { text: '', mentioned: [], edited_at: null, withdrawn: true }

/** The text and its mentions. */
const read = (text: Json | undefined, unreachable: readonly string[]): Result<Live['fields']> => {
  const value = typeof text === 'string' ? text : ''
  if (value.trim() === '') return refused('validation.failed', { errors: [{ path: 'text', code: 'required' }] })
  const mentioned = mentionsIn(value)
  if (mentioned.length > MAX_NAMED) {
    const params = { max: MAX_NAMED, rule: 'named' }
    return refused('validation.failed', { errors: [{ path: 'text', code: 'toolarge', params }] })
  }
  if (unreachable.length > 0) {
    return refused('validation.failed', { errors: [{ path: 'text', code: 'reference' }] })
  }
  return accepted({ text: value, mentioned })
}

/** An answer is about the block that the first comment of its thread is about. */
const blockOf = (
  { name }: EntityDeclaration,
  { block = null }: Live['fields'],
  { thread, blockless }: CommentFacts,
): Result<Json> => {
  if (thread === undefined) {
    if (typeof block !== 'string' || block.trim() === '') {
      return refused('validation.failed', { errors: [{ path: 'block', code: 'required' }] })
    }
    if (blockless !== true) return accepted(block)
    return refused('validation.failed', { errors: [{ path: 'block', code: 'reference', params: { rule: 'block' } }] })
  }
  if (!thread.first) return refused('validation.failed', { errors: [{ path: name, code: 'reference' }] })
  if (block !== null && block !== thread.block) {
    return refused('validation.failed', { errors: [{ path: 'block', code: 'reference' }] })
  }
  return accepted(thread.block)
}

const mayTouch = ({ fields }: Live, { actor, facts }: Context): Result<null> => {
  if (facts.parentless) return refused('entity.parent')
  return actor === null || actor === fields.author || facts.administers ? accepted(null) : refused('comment.author')
}

const settle = (entity: EntityDeclaration, verb: string, resolved: boolean): NamedCommand<CommentFacts> => ({
  decide({ fields }, _input, { actor, time, facts }): Result<readonly DomainEvent[]> {
    if (facts.parentless) return refused('entity.parent')
    if (typeof fields[entity.name] === 'string') return refused('comment.first')
    if ((fields.resolved === true) === resolved) return accepted([])
    const by = resolved ? { resolved_by: actor, resolved_at: time } : { resolved_by: null, resolved_at: null }
    return accepted([eventOf(entity, verb, { fields: { resolved, ...by } })])
  },
})
