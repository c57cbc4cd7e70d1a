import { useEffect } from 'react'

let dirty = 0

/** Whether a form holds changes that are not saved. */
export const isUnsaved = (): boolean => dirty > 0

/** Says for as long as it is mounted that there are such changes; closing the tab then asks. */
export const useUnsaved = (unsaved: boolean): void => {
  useEffect(() => {
    if (!unsaved) return
    dirty += 1
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      dirty -= 1
      removeEventListener('beforeunload', ask)
    }
  }, [unsaved])
}
