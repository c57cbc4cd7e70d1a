import { useEffect, useRef, useState } from 'react'
import { isWhen } from '#domain/field/stored-items.ts'
import { initialNamed } from '#domain/flow/document/default-properties.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { valueNamed } from '#domain/flow/document/model.ts'
import { passes, valueFault } from '#domain/flow/lint/check-value.ts'
import type { CheckName } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { checkMessage } from '../model/finding-messages.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { FORM, plainName, useForm, valueAt } from './form-context.ts'

/** Rule that a field's own value violates, as text; undefined if valid. */
const useFault = (path: FieldPath, value: Json | undefined) => {
  const { node } = useForm()
  const { room } = useDesigner()
  const words = useWords()
  const isFresh = useIsNewBlock(node.id)
  const name = plainName(node.type, path)
  const inItem = path.length > name.split('.').length
  const before = name.slice(0, name.lastIndexOf('.') + 1)
  // A rule on an item may ask about the item's other fields.
  const read = (field: string): Json | undefined => {
    const member = field.slice(before.length)
    const said =
      !inItem || !field.startsWith(before) || member.includes('.')
        ? valueNamed(node.properties, field)
        : valueAt(room.doc, node.id, node.type, [...path.slice(0, -1), member] as unknown as FieldPath)
    return said ?? initialNamed(blockOf(node.type)?.fields ?? {}, field)
  }
  const field = fieldAt(node.type, path)
  const own =
    field === undefined || field.kind === 'list' || field.kind === 'group'
      ? undefined
      : valueFault(field, value, node.properties)
  if (own !== undefined && own.code !== 'required') {
    return { severity: 'warning' as const, text: words(`block:value.${own.code}`, { limit: own.limit }) }
  }
  // JSON is typed as text and meant as what it says.
  const meant = field?.kind === 'json' ? valueNamed(node.properties, name) : value
  const rule = blockOf(node.type)?.rules.find(
    each => each.field === name && isWhen(each.when, read) && !passes(each.check, meant),
  )
  if (isFresh && (rule === undefined || isCompletenessCheck(rule.check))) return undefined
  if (rule === undefined && own !== undefined) {
    // A missing reference blocks publishing.
    const severity = field?.kind === 'reference' ? ('error' as const) : ('warning' as const)
    return { severity, text: checkMessage('required', node.type, name, words) }
  }
  if (rule === undefined || rule.check === 'atLeastOne') return undefined
  return { severity: rule.severity, text: checkMessage(rule.check, node.type, name, words) }
}

export interface FieldFinding {
  readonly severity: string
  readonly text: string
}

/** Fields whose control itself marks errors in expressions and variables. */
const marksFaults = (field: BlockField) =>
  field.kind === 'expression' ||
  field.kind === 'code' ||
  field.kind === 'json' ||
  field.kind === 'strings' ||
  (field.kind === 'reference' && field.to === 'variable')

const MARKED_CODES: ReadonlySet<string> = new Set([
  'block.expression',
  'block.variable',
  'block.scope',
  'block.datatype',
  'block.schema',
])

/** Missing values, which a block that was just added is not reported for. */
const MISSING_CODES: ReadonlySet<string> = new Set(['block.answer', 'block.nowait', 'block.target', 'block.value'])

const useLintFinding = (path: FieldPath): FieldFinding | undefined => {
  const { node } = useForm()
  const { findings } = useDesigner()
  const words = useWords()
  const isFresh = useIsNewBlock(node.id)
  const name = path.join('.')
  const found = useStoreValue(findings).find(
    finding =>
      finding.block === node.id &&
      finding.code !== 'block.rule' &&
      (finding.field === name || finding.field === path[0]),
  )
  if (found === undefined || (found.field !== name && path.length > 1)) return undefined
  const field = fieldAt(node.type, path)
  const isMarked = field !== undefined && marksFaults(field) && MARKED_CODES.has(found.code)
  const isEarly = isFresh && MISSING_CODES.has(found.code)
  if (isEarly || isMarked || found.code.startsWith('block.deadend')) return undefined
  return { severity: found.severity, text: words(`block:lint.${found.code}`, { name: found.name }) }
}

/** A field's finding: its own value's fault first, then lint. */
export const useFieldFinding = (path: FieldPath, value: Json | undefined): FieldFinding | undefined => {
  const fault = useFault(path, value)
  const lint = useLintFinding(path)
  return fault ?? lint
}

/** A value as it was when the pointer was last up: pressing a block begins a drag, which must not wait for a form. */
export const useValueAfterPress = <T>(value: T): T => {
  const [settled, settle] = useState(value)
  const pressed = useRef(false)
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    const down = () => {
      pressed.current = true
    }
    const up = () => {
      pressed.current = false
      // Not in the frame of the drop itself.
      setTimeout(() => settle(latest.current))
    }
    window.addEventListener('pointerdown', down, true)
    window.addEventListener('pointerup', up, true)
    window.addEventListener('pointercancel', up, true)
    return () => {
      window.removeEventListener('pointerdown', down, true)
      window.removeEventListener('pointerup', up, true)
      window.removeEventListener('pointercancel', up, true)
    }
  }, [])
  useEffect(() => {
    if (!pressed.current) settle(value)
  }, [value])
  return settled
}

/** One line of what a form refuses. */
interface StickyError {
  readonly key: string
  readonly text: string
  /** It is refused no longer. */
  readonly isMended?: true
}

interface FormErrors {
  readonly before: readonly StickyError[]
  readonly now: readonly StickyError[]
  readonly isTyping: boolean
}

/** Current errors in the previous order, with fixed ones in their place; new ones wait until the text is typed. */
const heldWith = ({ before, now, isTyping }: FormErrors): readonly StickyError[] => {
  const told = new Map(now.map(each => [each.key, each]))
  const known = new Set(before.map(({ key }) => key))
  const held = before.map((each): StickyError => told.get(each.key) ?? { ...each, isMended: true })
  return isTyping ? held : [...held, ...now.filter(({ key }) => !known.has(key))]
}

const isSame = (one: readonly StickyError[], other: readonly StickyError[]): boolean =>
  one.length === other.length &&
  one.every(({ key, text, isMended }, at) => {
    const beside = other[at]
    return key === beside?.key && text === beside.text && isMended === beside.isMended
  })

const formOf = () => document.getElementById(FORM)

const TEXT_FIELDS = 'input:not([type=checkbox],[type=radio]),textarea,[contenteditable=true]'

/**
 * Errors above a form: a fixed line stays, and a new one waits, until the field loses focus, so that nothing moves during
 * typing.
 */
export const useStickyErrors = (now: readonly StickyError[]): readonly StickyError[] => {
  const [held, hold] = useState(now)
  const latest = useRef(now)
  latest.current = now
  useEffect(() => {
    const { activeElement } = document
    const isTyped = formOf()?.contains(activeElement) === true
    const isTyping = activeElement?.matches(TEXT_FIELDS) === true
    hold(before => {
      const next = isTyped ? heldWith({ before, now, isTyping }) : now
      return isSame(before, next) ? before : next
    })
  }, [now])
  useEffect(() => {
    const form = formOf()
    const drop = () => hold(before => (isSame(before, latest.current) ? before : latest.current))
    form?.addEventListener('focusout', drop)
    return () => form?.removeEventListener('focusout', drop)
  }, [])
  return useValueAfterPress(held)
}

/** Whether a block was added here and is open since. */
export const useIsNewBlock = (block: string): boolean => useStoreValue(useDesigner().fresh, id => id === block)

/** Checks for missing content: not shown for a newly added block. */
export const isCompletenessCheck = (check: CheckName): boolean => check === 'required' || check === 'atLeastOne'

/** A block is no longer fresh once another one, or none, is open. */
export const useClearNewBlock = (block: string): void => {
  const { fresh } = useDesigner()
  useEffect(() => () => fresh.set(id => (id === block ? undefined : id)), [fresh, block])
}
