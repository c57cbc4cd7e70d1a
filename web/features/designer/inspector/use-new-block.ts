import { useEffect } from 'react'
import type { CheckName } from '#schemas/block.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

/** Whether a block was added here and is open since. */
export const useIsNewBlock = (block: string): boolean => useStoreValue(useDesigner().fresh, id => id === block)

/** Checks for missing content: not shown for a newly added block. */
export const isCompletenessCheck = (check: CheckName): boolean => check === 'required' || check === 'atLeastOne'

/** A block is no longer fresh once another one, or none, is open. */
export const useClearNewBlock = (block: string): void => {
  const { fresh } = useDesigner()
  useEffect(() => () => fresh.set(id => (id === block ? undefined : id)), [fresh, block])
}
