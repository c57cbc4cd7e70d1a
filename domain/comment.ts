import { z } from 'zod'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, Circumstance, DomainEvent, Live, NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'
import { mentionsIn } from './mention.ts'

/**
 * Facts: `parentless`, the flow is removed; `thread`, the comment that this one answers: {block, first}; `unreachable`,
 * people newly named who cannot see the flow or are not there; `administers`, whether the caller administers people.
 */
export const commentBehaviour = (entity: EntityDeclaration): Behaviour => ({
  commands: {
    resolve: settle(entity, 'Resolved', true),
    reopen: settle(entity, 'Reopened', false),
  },
  onCreate(fields, { actor, facts }) {
    const written = read(fields.text, facts.unreachable)
    if (!written.ok) return written
    const block = blockOf(entity, fields, facts.thread ?? null)
    return block.ok ? accepted({ ...fields, ...written.value, block: block.value, author: actor }) : block
  },
  onChange(state, changes, circumstance) {
    const allowed = mayTouch(state, circumstance)
    if (!allowed.ok) return allowed
    if (changes.text === undefined || changes.text === state.fields.text) return accepted(changes)
    const written = read(changes.text, circumstance.facts.unreachable)
    return written.ok ? accepted({ ...changes, ...written.value, edited_at: circumstance.time }) : written
  },
  onRemove: mayTouch,
})

/** The text and whom it names. */
const read = (text: Json | undefined, unreachable: Json | undefined): Result<Live['fields']> => {
  const value = typeof text === 'string' ? text : ''
  if (value.trim() === '') return refused('validation.failed', { errors: [{ path: 'text', code: 'required' }] })
  if (Array.isArray(unreachable) && unreachable.length > 0) {
    return refused('validation.failed', { errors: [{ path: 'text', code: 'reference' }] })
  }
  return accepted({ text: value, mentioned: mentionsIn(value) })
}

/** An answer is about the block that the first comment of its thread is about. */
const blockOf = ({ name }: EntityDeclaration, { block = null }: Live['fields'], thread: Json): Result<Json> => {
  if (thread === null || typeof thread !== 'object' || !('block' in thread)) {
    if (typeof block === 'string' && block.trim() !== '') return accepted(block)
    return refused('validation.failed', { errors: [{ path: 'block', code: 'required' }] })
  }
  if (thread.first !== true) return refused('validation.failed', { errors: [{ path: name, code: 'reference' }] })
  if (block !== null && block !== thread.block) {
    return refused('validation.failed', { errors: [{ path: 'block', code: 'reference' }] })
  }
  return accepted(thread.block ?? null)
}

const mayTouch = ({ fields }: Live, { actor, facts }: Circumstance): Result<null> => {
  if (facts.parentless === true) return refused('entity.parent')
  return actor === null || actor === fields.author || facts.administers === true
    ? accepted(null)
    : refused('comment.author')
}

const settle = (entity: EntityDeclaration, verb: string, resolved: boolean): NamedCommand => ({
  input: z.strictObject({}),
  decide({ fields }, _input, { actor, time, facts }): Result<readonly DomainEvent[]> {
    if (facts.parentless === true) return refused('entity.parent')
    if (typeof fields[entity.name] === 'string') return refused('comment.first')
    if ((fields.resolved === true) === resolved) return accepted([])
    const by = resolved ? { resolved_by: actor, resolved_at: time } : { resolved_by: null, resolved_at: null }
    return accepted([eventOf(entity, verb, { fields: { resolved, ...by } })])
  },
})
