import { type RefObject, useEffect, useRef } from 'react'
import { fieldAt } from '#domain/flow/document/location.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { firstField, focusDrawn, leadingRichText, typeInto } from './first-field.ts'

/** A fault's message is beside its field, which refers to it. */
const FAULTY = '[aria-describedby*="-finding"],[aria-invalid=true]'

/** Leads the keyboard into a form: to the field that was asked for and has a fault, else to the first one. */
export const useWantedFocus = (node: NodeModel): RefObject<HTMLDivElement | null> => {
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
      focusDrawn(() => {
        const now = wanted.get()
        if (now?.block !== node.id || now.typed === undefined) return undefined
        const first = firstField(root)
        wanted.set(undefined)
        first?.focus()
        typeInto(first, now.typed, now.isNew === true)
        return first
      })
      return
    }
    focusDrawn(() => {
      if (field === undefined) return firstField(root)
      const part = root.querySelector(`[data-list="${CSS.escape(field)}"]`) ?? root
      return part.querySelector<HTMLElement>(FAULTY) ?? firstField(part)
    })
    wanted.set(undefined)
  }, [want, wanted, node])
  return form
}
