import { type RefObject, useEffect, useRef } from 'react'
import { fieldAt } from '#domain/flow/document/location.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

const FIELDS = 'input:not([type=file]),textarea,select,[contenteditable=true],.pl-list > button'

/** A choice that is made already, as that of a default, is no place to begin at. */
const isChosen = (field: Element) => field instanceof HTMLSelectElement && field.value !== ''

/** First input of a form part, or the button that adds one. */
export const firstField = (root: Element): HTMLElement | undefined => {
  const fields = [...root.querySelectorAll<HTMLElement>(FIELDS)]
  return fields.find(field => !isChosen(field)) ?? fields[0] ?? root.querySelector<HTMLElement>('button') ?? undefined
}

/** In the place of a field whose editor is not drawn yet. */
const PENDING = '[data-pending]:empty'

/** Whether the field that a form begins with is still to be drawn. */
const isFirstPending = (root: Element): boolean =>
  [...root.querySelectorAll(`${PENDING},${FIELDS}`)].find(field => !isChosen(field))?.matches(PENDING) === true

/** Whether all editors of shared texts in a part of a form are drawn. */
export const areEditorsRendered = (root: Element): boolean => root.querySelector(PENDING) === null

const isInCanvas = (element: Element | null) => element?.closest('.pl-canvas') != null

/** Whether a person moved the focus: not from block to block, and not to one because the focused element was removed. */
const hasLeft = (before: Element | null): boolean => {
  const { activeElement: now, body } = document
  if (now === before || now === body) return false
  return !(isInCanvas(now) && (before === body || before?.isConnected !== true || isInCanvas(before)))
}

/** Frames that are waited for editors, some half a second. */
const MAX_FRAMES = 30
/** Frames that are waited for a text that keys are kept for, some 20 s: its editor may still be loaded. */
const MAX_LOADING_FRAMES = 1200

interface FocusRequest {
  /** Called once, when the field is drawn. */
  readonly find: () => HTMLElement | undefined
  readonly isDrawn?: () => boolean
  /** Frames after which `find` is called although not all is drawn. */
  readonly frames?: number
  /** A person moved the focus elsewhere meanwhile: it stays there. */
  readonly onLeft?: () => void
}

/**
 * Focuses the found field two frames from now, or when `isDrawn`: editors of shared texts are drawn after the form around
 * them. Returns the way to call it off.
 */
export const focusWhenRendered = (request: FocusRequest): (() => void) => {
  const { find, isDrawn = () => true, onLeft } = request
  const { activeElement: before } = document
  let frames = request.frames ?? MAX_FRAMES
  const focus = () => {
    frames -= 1
    if (frames > 0 && !isDrawn()) frame = requestAnimationFrame(focus)
    else if (hasLeft(before)) onLeft?.()
    else find()?.focus()
  }
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(focus)
  })
  return () => cancelAnimationFrame(frame)
}

/** Event that an editor of code appends the text of, and puts the caret behind it. */
export const TYPED = 'pl-typed'

/** Types into a field: appends, or replaces with `isNew`; empty text only selects for replacement. */
const insertTypedText = (field: Element | undefined, text: string, isNew: boolean): void => {
  if (field?.matches('.cm-content')) field.dispatchEvent(new CustomEvent(TYPED, { detail: text }))
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  if (isNew) field.select()
  if (text === '' || field.selectionStart === null) return
  const end = field.value.length
  field.setRangeText(text, isNew ? 0 : end, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** A fault's message is beside its field, which refers to it. */
const FAULTY = '[aria-describedby*="-finding"],[aria-invalid=true]'

/**
 * Leads the keyboard into a form: to the field that was asked for and has a fault, else to the first one. Enter may be
 * pressed before the form is drawn, and its editors come later still: what was typed waits for the field.
 */
export const useInitialFocus = (node: NodeModel): RefObject<HTMLDivElement | null> => {
  const { wanted } = useDesigner()
  const { id, type } = node
  // Keys that are typed meanwhile do not change where the keyboard goes.
  const goal = useStoreValue(wanted, want =>
    want?.block !== id || (want.field !== undefined && want.isOpen !== true) ? undefined : (want.field ?? ''),
  )
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (goal === undefined) return
    // No other field takes the text of one whose editor is still loaded.
    const isPatient = goal === '' || fieldAt(type, goal.split('.'))?.kind === 'rich'
    const isDrawn = () => {
      const root = form.current
      return root !== null && (goal === '' ? !isFirstPending(root) : areEditorsRendered(root))
    }
    const find = () => {
      const want = wanted.get()
      const root = form.current
      if (want?.block !== id) return undefined
      if (root === null || (isPatient && !isDrawn())) {
        wanted.set(undefined)
        return undefined
      }
      const part = root.querySelector(`[data-list="${CSS.escape(goal)}"]`) ?? root
      const faulty = goal === '' || want.typed !== undefined ? null : part.querySelector<HTMLElement>(FAULTY)
      const first = faulty ?? firstField(part)
      const field = first?.dataset.rich
      // The editor of a rich text focuses itself and inserts the typed keys.
      wanted.set(field === undefined ? undefined : { ...want, field, isOpen: true })
      if (field !== undefined) return undefined
      first?.focus()
      insertTypedText(first, want.typed ?? '', want.isNew === true)
      return first
    }
    if (goal === '' && isDrawn() && firstField(form.current as Element)?.dataset.rich !== undefined) {
      find()
      return
    }
    const frames = isPatient ? MAX_LOADING_FRAMES : MAX_FRAMES
    return focusWhenRendered({ find, isDrawn, frames, onLeft: () => wanted.set(undefined) })
  }, [goal, wanted, id, type])
  return form
}
