import { useSyncExternalStore } from 'react'

/** A window of a desk, zoomed to 200 %, is as narrow as many a phone, but has a pointer and a keyboard to edit with. */
const query = '(max-width: 559px), (max-width: 767px) and (pointer: coarse)'

/** Small screens look, pan and pinch; they do not edit. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    listener => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
