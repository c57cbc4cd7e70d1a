import { useMedia } from '#web/shell/use-media.ts'

/** A window of a desk, zoomed to 200 %, is as narrow as many a phone, but has a pointer and a keyboard to edit with. */
const QUERY = '(max-width: 559px), (max-width: 767px) and (pointer: coarse)'

/** Small screens look, pan and pinch; they do not edit. */
export const usePhone = (): boolean => useMedia(QUERY)
