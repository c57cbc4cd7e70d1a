import type { Behaviour } from './behaviour.ts'

/** Entities that do more than being made, changed, removed and restored, one line each. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {}
