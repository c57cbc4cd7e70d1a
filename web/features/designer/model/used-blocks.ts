import { USED_BLOCKS } from '#web/shell/storage-keys.ts'

/** Default suggestions, before any use by this person. */
const COMMON: readonly string[] = ['text', 'prompt', 'condition', 'herocard', 'carousel', 'assignvariables']
const MAX = 6

const remembered = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(USED_BLOCKS) ?? '[]')
    return Array.isArray(kept) ? kept.filter(type => typeof type === 'string') : []
  } catch {
    return []
  }
}

/** Types to suggest first: recently used, then commonly used. */
export const usedBlocks = (): readonly string[] => [...new Set([...remembered(), ...COMMON])].slice(0, MAX)

export const rememberBlock = (type: string): void => {
  try {
    localStorage.setItem(USED_BLOCKS, JSON.stringify([...new Set([type, ...remembered()])].slice(0, MAX / 2)))
  } catch {
    // Without storage the common ones stay first.
  }
}
