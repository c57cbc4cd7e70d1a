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

/** The rich text that comes before all other fields, by its path; its editor may not be there yet. */
export const leadingRichText = (root: Element): string | undefined =>
  [...root.querySelectorAll<HTMLElement>(`[data-rich],${FIELDS}`)].find(field => !isChosen(field))?.dataset.rich

/** Frames that are waited for editors, some half a second. */
const MAX_FRAMES = 30

/** Whether all editors of shared texts in a part of a form are drawn. */
export const areEditorsRendered = (root: Element): boolean => root.querySelector('[data-pending]:empty') === null

const isInCanvas = (element: Element | null) => element?.closest('.pl-canvas') != null

/**
 * Focuses the found field two frames from now, or when `isDrawn`: editors of shared texts are drawn after the form around
 * them. A focus that moved elsewhere meanwhile stays there; from block to block of the canvas is not elsewhere.
 */
export const focusWhenRendered = (find: () => HTMLElement | undefined, isDrawn: () => boolean = () => true): void => {
  const { activeElement: before } = document
  let frames = MAX_FRAMES
  const focus = () => {
    frames -= 1
    if (frames > 0 && !isDrawn()) {
      requestAnimationFrame(focus)
      return
    }
    const { activeElement: now, body } = document
    const isOnCanvas = isInCanvas(now) && isInCanvas(before)
    if (now === before || now === body || isOnCanvas) find()?.focus()
  }
  requestAnimationFrame(() => requestAnimationFrame(focus))
}

/** Types into a field: appends, or replaces with `isNew`; empty text only selects for replacement. */
const insertTypedText = (field: Element | undefined, text: string, isNew: boolean): void => {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  if (isNew) field.select()
  if (text === '' || field.selectionStart === null) return
  const end = field.value.length
  field.setRangeText(text, isNew ? 0 : end, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** A fault's message is beside its field, which refers to it. */
const FAULTY = '[aria-describedby*="-finding"],[aria-invalid=true]'

/** Leads the keyboard into a form: to the field that was asked for and has a fault, else to the first one. */
export const useInitialFocus = (node: NodeModel): RefObject<HTMLDivElement | null> => {
  const { wanted } = useDesigner()
  const want = useStoreValue(wanted)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = form.current
    if (want?.block !== node.id || root === null) return
    const { field, isOpen } = want
    if (field !== undefined && isOpen !== true) return
    // A rich text focuses itself once its editor is loaded.
    const isRich =
      field === undefined ? leadingRichText(root) !== undefined : fieldAt(node.type, field.split('.'))?.kind === 'rich'
    if (isRich && root.querySelector('[data-rich]') !== null) return
    if (want.typed !== undefined) {
      focusWhenRendered(() => {
        const now = wanted.get()
        if (now?.block !== node.id || now.typed === undefined) return undefined
        const first = firstField(root)
        wanted.set(undefined)
        first?.focus()
        insertTypedText(first, now.typed, now.isNew === true)
        return first
      })
      return
    }
    focusWhenRendered(() => {
      if (field === undefined) return firstField(root)
      const part = root.querySelector(`[data-list="${CSS.escape(field)}"]`) ?? root
      return part.querySelector<HTMLElement>(FAULTY) ?? firstField(part)
    })
    wanted.set(undefined)
  }, [want, wanted, node])
  return form
}
