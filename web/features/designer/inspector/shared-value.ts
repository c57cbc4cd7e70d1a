import type { Json } from '#schemas/event.ts'

/** Pause in typing before a value is written to the shared document, so that a word is one edit. */
export const TYPING_PAUSE_MS = 600

/** Properties of a control that writes to a shared document, in the inspector's narrow panel. */
export const SHARED = { typingPauseMs: TYPING_PAUSE_MS, density: 'compact' } as const

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
