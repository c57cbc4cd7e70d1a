import { type RefObject, useEffect, useRef } from 'react'
import { useDesigner } from '../live/designer.ts'
import { useStoreValue } from '../store.ts'
import { firstField } from './first-field.ts'

/** Enter on a block and a double press lead into its form: to the field with a fault, else to the first one. */
export const useWantedFocus = (block: string): RefObject<HTMLDivElement | null> => {
  const { wanted } = useDesigner()
  const want = useStoreValue(wanted)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = form.current
    if (want?.block !== block || want.field !== undefined || root === null) return
    // A rich text takes the caret by itself, once its editor is there.
    if (root.querySelector('[data-rich]') !== null) return
    const faulty = root.querySelector<HTMLElement>('[aria-invalid=true]') ?? undefined
    const field = faulty ?? firstField(root)
    field?.focus()
    wanted.set(undefined)
  }, [want, wanted, block])
  return form
}
