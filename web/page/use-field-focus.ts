import { useEffect } from 'react'
import { useAddress, useIsLeaving } from './use-address.ts'

/** Parameter of the address with the field that a link leads to. */
export const FIELD = 'field'

const LOOK_MS = 100
/** The form may load for some seconds. */
const MAX_LOOKS = 150

/** Brings a field into view once it is there, with its first control focused. The returned function gives up. */
export const focusField = (field: string, done?: () => void): (() => void) => {
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    const box = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
    if (box === null && looks < MAX_LOOKS) return
    clearInterval(timer)
    box?.scrollIntoView({ block: 'center' })
    // A stored secret has no input: its last button replaces it.
    const control = box?.querySelector<HTMLElement>('input, textarea, select, [role=combobox]')
    const target = control ?? [...(box?.querySelectorAll('button') ?? [])].at(-1)
    target?.focus({ preventScroll: true })
    done?.()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Leads to the field of the address, and takes it out of the address then. */
export const useFieldFocus = (): void => {
  const { params, put } = useAddress()
  const isLeaving = useIsLeaving()
  const field = params.get(FIELD)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `put` is new with each rendering
  useEffect(() => {
    if (field === null) return undefined
    return focusField(field, () => {
      if (!isLeaving()) put({ [FIELD]: undefined })
    })
  }, [field])
}
