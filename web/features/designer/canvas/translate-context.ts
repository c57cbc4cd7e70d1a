import { createContext, use } from 'react'
import type { Translate } from '../model/label.ts'

/** One translator for all blocks: a hook of i18next in each of a thousand would be felt. */
export const WordsContext = createContext<Translate>(key => key)
export const useWords = (): Translate => use(WordsContext)
