import { useSyncExternalStore } from 'react'

const query = '(max-width: 767px)'

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
